package dev.leasehold.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Stops an embedded PostgreSQL when a process has ended, however it ended: killed, out of memory, crashed.
 *
 * <p>It is a shell process in a session of its own: neither ctrl-C nor the end of the JVM that started it reaches it. Start it
 * before the server, so that there is no moment in which nobody watches.
 */
public final class Watchdog {
    private Watchdog() {}

    /**
     * Starts watching. When the owner has ended, the server is stopped at once and its data directory is deleted.
     *
     * @param owner the process whose end is waited for
     * @param dataDirectory what to delete then; it exists
     */
    public static void start(ProcessId owner, Path dataDirectory) {
        run(owner, dataDirectory, "delete");
    }

    /**
     * Starts watching. When the owner has ended, the server is stopped in order and its data stays. If another process has taken
     * the data directory by then, the server is that one's, and stays.
     *
     * @param owner the process that takes the data directory, and whose end is waited for
     * @param dataDirectory it need not exist yet
     */
    public static void keepingData(ProcessId owner, Path dataDirectory) {
        run(owner, dataDirectory, "keep");
    }

    private static void run(ProcessId owner, Path dataDirectory, String then) {
        try {
            new ProcessBuilder(
                            "setsid",
                            "sh",
                            "-c",
                            script(),
                            "leasehold-watchdog",
                            Long.toString(owner.pid()),
                            Long.toString(owner.startTicks()),
                            dataDirectory.toAbsolutePath().normalize().toString(),
                            then)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw Trouble.with("start the watchdog of '" + dataDirectory + "'", e);
        }
    }

    private static String script() throws IOException {
        try (InputStream script = Watchdog.class.getResourceAsStream("watchdog.sh")) {
            if (script == null) {
                throw new IllegalStateException("the jar is incomplete: watchdog.sh is missing");
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
