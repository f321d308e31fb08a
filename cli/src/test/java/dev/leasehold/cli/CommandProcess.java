package dev.leasehold.cli;

import dev.leasehold.testkit.process.ChildJvm.Program;
import dev.leasehold.testkit.process.ServerProcess;
import java.util.Map;

/** {@code leasehold} in a process of its own, as typed in a shell. */
public final class CommandProcess {
    private CommandProcess() {}

    /** What to start. */
    public static Program of(String... words) {
        return Program.of(Main.class, words).options("-Xmx256m", "-XX:TieredStopAtLevel=1");
    }

    /** Starts a server. */
    static ServerProcess server(Map<String, String> environment, String... words) {
        return ServerProcess.start(of(words).environment(environment));
    }
}
