package dev.leasehold.bench;

import dev.leasehold.cli.Main;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Leasehold server in a JVM of its own, on a schema of the measured database. Its request log goes to a file. */
public final class ServerProcess implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("answers at http://([\\d.]+):(\\d+)");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long PAUSE_MILLIS = 50;

    private final ChildJvm jvm;
    private final Path log;
    private final String host;
    private final int port;

    private ServerProcess(ChildJvm jvm, Path log, Matcher address) {
        this.jvm = jvm;
        this.log = log;
        this.host = address.group(1);
        this.port = Integer.parseInt(address.group(2));
    }

    /** Starts it; returns when it answers. */
    public static ServerProcess start(Database database, String schema) throws InterruptedException {
        Path log = logFile();
        String url = database.url() + (database.url().contains("?") ? "&" : "?") + "currentSchema=" + schema
                + (database.user().isEmpty() ? "" : "&user=" + database.user());
        ChildJvm jvm = ChildJvm.start(
                Main.class,
                List.of("server", "--address", "127.0.0.1:0", "--postgres-url", url),
                Map.of(
                        "PGPASSWORD", database.password(),
                        "LOCKER_POSTGRES_CONNECTIONPOOLSIZE", Integer.toString(Bench.CONNECTIONS)),
                log);
        try {
            return new ServerProcess(jvm, log, address(jvm, log));
        } catch (RuntimeException | InterruptedException e) {
            jvm.close();
            throw e;
        }
    }

    private static Path logFile() {
        try {
            return Files.createTempFile("leasehold-bench", ".log");
        } catch (IOException e) {
            throw new UncheckedIOException("there is no room for the log of a server", e);
        }
    }

    private static Matcher address(ChildJvm jvm, Path log) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end && jvm.isAlive()) {
            Matcher address = ADDRESS.matcher(read(log));
            if (address.find()) {
                return address;
            }
            Thread.sleep(PAUSE_MILLIS);
        }
        throw new IllegalStateException("the server did not start: " + read(log));
    }

    private static String read(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException("the log of the server cannot be read", e);
        }
    }

    public String host() {
        return host;
    }

    public int port() {
        return port;
    }

    public URI uri() {
        return URI.create("http://" + host + ":" + port);
    }

    /** The processor time that it has used. */
    public long cpuNanos() {
        return jvm.cpuNanos();
    }

    @Override
    public void close() {
        jvm.close();
        try {
            Files.deleteIfExists(log);
        } catch (IOException e) {
            throw new UncheckedIOException("the log of the server cannot be deleted", e);
        }
    }
}
