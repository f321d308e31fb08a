package dev.leasehold.chaos.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A JVM of our own with the same class path: it can be paused, resumed and killed, and is told to stop by the end of its input. */
public final class ChildJvm implements AutoCloseable {
    private final Process process;
    private final Path log;

    private ChildJvm(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * What to start.
     *
     * @param environment variables beside those of this process
     */
    public record Program(String mainClass, List<String> arguments, Map<String, String> environment) {
        public Program {
            arguments = List.copyOf(arguments);
            environment = Map.copyOf(environment);
        }
    }

    /** Starts it; what it prints goes to {@code log}. Small and quick to start: many run side by side on little machines. */
    public static ChildJvm start(Program program, Path log) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx160m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", "")),
                program.mainClass()));
        command.addAll(program.arguments());
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(program.environment());
        try {
            return new ChildJvm(builder.start(), log);
        } catch (IOException e) {
            throw new SiteException("could not start a JVM for " + program.mainClass(), e);
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Waits until its output contains {@code text}. */
    public void awaitOutput(String text, Duration atMost) {
        Patience.await("'" + text + "' in " + log, atMost, () -> {
            if (!process.isAlive()) {
                throw new SiteException("a JVM ended before it said '" + text + "': " + output());
            }
            return output().contains(text);
        });
    }

    /** All that it has printed, and that was in its log before. */
    public String output() {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new SiteException("could not read " + log, e);
        }
    }

    /** SIGSTOP. */
    public void pause() {
        Signals.pause(pid());
    }

    /** SIGCONT. */
    public void resume() {
        Signals.resume(pid());
    }

    /** SIGQUIT: it prints what all its threads do. */
    public void dumpThreads() {
        Signals.quit(pid());
        Patience.sleep(500);
    }

    /** SIGKILL; returns when it has ended. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd(Duration.ofSeconds(30));
    }

    /** SIGTERM; returns whether it has ended in time. */
    public boolean terminate(Duration atMost) {
        process.destroy();
        return awaitEnd(atMost);
    }

    /** Closes its input. */
    public void hangUp() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new SiteException("could not close the input of process " + pid(), e);
        }
    }

    /** Whether it ends in time. */
    public boolean awaitEnd(Duration atMost) {
        try {
            return process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw SiteException.interrupted(e);
        }
    }

    public int exitStatus() {
        return process.exitValue();
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }
}
