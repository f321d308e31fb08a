package dev.leasehold.client;

import dev.leasehold.testkit.TestClock;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.process.ChildJvm;
import dev.leasehold.testkit.process.ChildJvm.Program;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A JVM with servers in it, each on a schema of the test's database. It is told what to do line by line, and ends with this JVM. */
final class ServerJvm {
    private final ChildJvm jvm = ChildJvm.start(Program.of(ServerJvmMain.class)
            .environment(TestPostgres.environment())
            .options("-Xmx256m", "-XX:TieredStopAtLevel=1", "-Dorg.slf4j.simpleLogger.defaultLogLevel=off"));

    private ServerJvm() {}

    /** The two processes that all tests of this JVM use in turn. */
    static List<ServerJvm> two() {
        return Two.PROCESSES;
    }

    private static final class Two {
        static final List<ServerJvm> PROCESSES =
                Stream.generate(ServerJvm::new).limit(2).toList();
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

    /** Stops the clock of its servers as another one was stopped. */
    void stopAt(long realMs) {
        ask("stop " + realMs);
    }

    /** A clock for a test that shows the same time as those of all its processes. */
    static TestClock clockOf(List<ServerJvm> processes) {
        return new TestClock(new TestClock.Listener() {
            @Override
            public void moved(Duration by) {
                processes.forEach(process -> process.advance(by));
            }

            @Override
            public void stopped(long realMs) {
                processes.forEach(process -> process.stopAt(realMs));
            }
        });
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
        jvm.say(command);
        String reply = jvm.hear();
        if (reply.startsWith("!")) {
            throw new AssertionError("'" + command + "' failed: " + reply);
        }
        return reply;
    }
}
