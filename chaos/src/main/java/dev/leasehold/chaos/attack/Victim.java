package dev.leasehold.chaos.attack;

import dev.leasehold.cli.Main;
import dev.leasehold.testkit.OwnPostgres;
import dev.leasehold.testkit.process.ChildJvm.Program;
import dev.leasehold.testkit.process.HarnessException;
import dev.leasehold.testkit.process.Polling;
import dev.leasehold.testkit.process.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A server in a process of its own, with a heap of 256 MB, an embedded PostgreSQL and two API keys, that attacks are run against.
 *
 * <p>One key belongs to the normal client, the other to the attackers, who may do everything in the namespace {@code hostile} and
 * nothing elsewhere. It knows how it was before the attacks, and says whether it is so again ({@link #awaitRecovery}).
 */
final class Victim implements AutoCloseable {
    static final String NORMAL_KEY = "normal-client-key-0123456789abcdef";
    static final String HOSTILE_KEY = "hostile-client-key-0123456789abcdef";
    static final String HOSTILE_NAMESPACE = "hostile";

    private static final String EVERYTHING =
            "[locks.read, locks.write, locks.admin, queues.produce, queues.consume, queues.admin]";

    private static final Duration RECOVERY = Duration.ofSeconds(90);
    private static final Duration END = Duration.ofSeconds(30);
    private static final long PAUSE_MILLIS = 1_000;
    private static final long MORE_HEAP = 64L << 20;
    private static final int MORE_FILES = 64;

    private final ServerProcess server;
    private final Path log;
    private final NormalClient client;
    private final Vitals before;

    private Victim(ServerProcess server, Path log) {
        this.server = server;
        this.log = log;
        this.client = new NormalClient(server.uri());
        client.turn(); // so that every thread and connection that it needs is there
        this.before = vitals();
    }

    /** Starts one whose files go to {@code directory}; returns when it has served a normal client. */
    static Victim start(Path directory) {
        try {
            Path data = OwnPostgres.dataDirectory(directory.resolve("data"));
            Path config = Files.writeString(directory.resolve("leasehold.yaml"), configuration());
            Program program = Program.of(
                            Main.class,
                            "server",
                            "--address=127.0.0.1:0",
                            "--data-dir=" + data,
                            "--config=" + config,
                            "--log-level=warn")
                    .options("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError");
            Path log = directory.resolve("server.log");
            return new Victim(ServerProcess.start(program, log).ready(), log);
        } catch (IOException e) {
            throw new HarnessException("could not write to " + directory, e);
        }
    }

    private static String configuration() {
        return """
                auth:
                  keys:
                    - name: normal
                      sha256: %s
                      grants: [{namespace: "*", permissions: %s}]
                    - name: hostile
                      sha256: %s
                      grants: [{namespace: %s, permissions: %s}]
                """.formatted(sha256(NORMAL_KEY), EVERYTHING, sha256(HOSTILE_KEY), HOSTILE_NAMESPACE, EVERYTHING);
    }

    private static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    URI uri() {
        return server.uri();
    }

    int port() {
        return uri().getPort();
    }

    /** Its normal client. */
    NormalClient client() {
        return client;
    }

    boolean isAlive() {
        return server.jvm().isAlive();
    }

    Vitals vitals() {
        return Vitals.of(server.jvm().pid());
    }

    /** The end of what it has printed. */
    String lastWords() {
        String output = server.output();
        return output.substring(Math.max(0, output.length() - 2_000));
    }

    /** Empties its log: an hour of requests would fill a disk. */
    void forgetLog() {
        try (FileChannel file = FileChannel.open(log, StandardOpenOption.WRITE)) {
            file.truncate(0); // it appends, so what comes next begins at the front
        } catch (IOException e) {
            throw new HarnessException("could not empty " + log, e);
        }
    }

    /** Waits until it is as it was before the attacks; returns what is still different when the time is over. */
    List<String> awaitRecovery() {
        long end = System.nanoTime() + RECOVERY.toNanos();
        List<String> differences = differences();
        while (!differences.isEmpty() && isAlive() && System.nanoTime() < end) {
            Polling.sleep(PAUSE_MILLIS);
            differences = differences();
        }
        return differences;
    }

    private List<String> differences() {
        if (!isAlive()) {
            return List.of("the server has ended: " + lastWords());
        }
        List<String> found = new ArrayList<>(client.problems());
        client.turn();
        Vitals now = vitals();
        Set<String> missing = new TreeSet<>(before.engineThreads());
        missing.removeAll(now.engineThreads());
        if (!missing.isEmpty()) {
            found.add("threads of the engine are missing: " + missing);
        }
        if (now.files() > before.files() + MORE_FILES) {
            found.add("there are " + now.files() + " open files, there were " + before.files());
        }
        if (now.heap() > before.heap() + MORE_HEAP) {
            found.add("the heap has " + (now.heap() >> 20) + " MB, it had " + (before.heap() >> 20));
        }
        double bodies = client.metric("leasehold_body_bytes");
        if (bodies != 0) {
            found.add("bodies in flight have " + bodies + " bytes");
        }
        return found;
    }

    /** Ends it in good order, and its PostgreSQL with it; kills it if that takes long. */
    @Override
    public void close() {
        client.close();
        server.jvm().terminate(END);
        server.close();
    }
}
