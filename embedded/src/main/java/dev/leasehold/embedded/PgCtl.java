package dev.leasehold.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** The server process of one data directory, started and stopped by {@code pg_ctl}. */
final class PgCtl {
    private static final int START_SECONDS = 120;
    private static final int STOP_SECONDS = 3;
    private static final long MOST_LOG_BYTES = 10_000_000;

    private final DataDirectory directory;
    private final Programs programs;
    private final Identity identity;
    private final Settings settings;

    PgCtl(DataDirectory directory, Programs programs, Identity identity, Settings settings) {
        this.directory = directory;
        this.programs = programs;
        this.identity = identity;
        this.settings = settings;
    }

    /** The server process, if there is one. */
    Optional<Postmaster> running() {
        return Postmaster.running(directory.cluster());
    }

    /** Starts it after a crash too; returns when it accepts connections. */
    void start(int port) {
        rotateLog();
        StalePidFile.remove(directory.cluster());
        Command.Outcome outcome = Command.of(
                        identity,
                        programs.path("pg_ctl"),
                        "start",
                        "--wait",
                        "--timeout=" + START_SECONDS,
                        "--pgdata=" + directory.cluster(),
                        "--log=" + directory.log(),
                        "--options=" + settings.options(port))
                .tryRun();
        if (!outcome.isSuccess()) {
            throw new EmbeddedException("the embedded PostgreSQL did not start on port " + port + ": "
                    + LogTail.reason(directory.log(), outcome.output()) + "; its log is '" + directory.log() + "'");
        }
    }

    private void rotateLog() {
        Path log = directory.log();
        try {
            if (Files.exists(log) && Files.size(log) > MOST_LOG_BYTES) {
                Files.move(log, log.resolveSibling("postgresql.log.1"), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw Trouble.with("put '" + log + "' aside", e);
        }
    }

    /** Stops it for good, within seconds. */
    void stop() {
        stop(STOP_SECONDS);
    }

    /** Stops it and takes the time for a checkpoint: it is about to be started again. */
    void stopPatiently() {
        stop(START_SECONDS);
    }

    /**
     * Fast: who is connected is cut off, what was committed is kept. Immediately if that takes too long: it recovers then. Nothing if
     * it does not run: pg_ctl would send its signal to whatever process has the number that a dead server has left.
     */
    private void stop(int seconds) {
        if (running().isPresent()
                && !stop("fast", seconds).isSuccess()
                && running().isPresent()) {
            Command.Outcome outcome = stop("immediate", seconds);
            if (!outcome.isSuccess() && running().isPresent()) {
                throw new EmbeddedException("could not stop the embedded PostgreSQL: "
                        + outcome.output().strip());
            }
        }
    }

    private Command.Outcome stop(String mode, int seconds) {
        return Command.of(
                        identity,
                        programs.path("pg_ctl"),
                        "stop",
                        "--wait",
                        "--mode=" + mode,
                        "--timeout=" + seconds,
                        "--pgdata=" + directory.cluster())
                .tryRun();
    }

    /** Kills the backends of a postmaster that has died: a busy one does not notice, and no new server starts beside it. */
    void killOrphanedBackends() {
        ProcessesIn.directory(directory.cluster()).stream()
                .filter(ProcessesIn::isBackend)
                .forEach(ProcessHandle::destroyForcibly);
    }
}
