package dev.leasehold.client;

import dev.leasehold.testkit.TestPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A JVM with servers in it, each on a schema of the test's database. It is told what to do line by line, and ends with this JVM. */
final class ServerProcess {
    private final PrintStream commands;
    private final BufferedReader answers;

    private ServerProcess() {
        ProcessBuilder builder = new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ServerProcessMain.class.getName());
        builder.environment().put("LEASEHOLD_TEST_POSTGRES_URL", TestPostgres.url());
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        try {
            Process process = builder.start();
            commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
            answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The two processes that all tests of this JVM use in turn. */
    static List<ServerProcess> two() {
        return Two.PROCESSES;
    }

    private static final class Two {
        static final List<ServerProcess> PROCESSES =
                Stream.generate(ServerProcess::new).limit(2).toList();
    }

    /** Starts a server with locks in a schema. */
    URI locks(String schema) {
        return address(ask("locks " + schema));
    }

    /** Starts a server with queues in a schema. */
    URI queues(String schema, Duration lookInterval) {
        return address(ask("queues " + schema + " " + lookInterval.toMillis()));
    }

    private static URI address(String port) {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Moves the clock of its servers. */
    void advance(Duration by) {
        ask("advance " + by.toMillis());
    }

    /** How many attempts to acquire its servers have refused since they were started. */
    int refusals() {
        return Integer.parseInt(ask("refusals"));
    }

    /** Stops its servers and sets its clock right. */
    void reset() {
        ask("reset");
    }

    private synchronized String ask(String command) {
        commands.println(command);
        try {
            String answer = answers.readLine();
            if (answer == null || answer.startsWith("!")) {
                throw new AssertionError("'" + command + "' failed: " + answer);
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
