package dev.leasehold.bench;

import dev.leasehold.cli.Main;
import dev.leasehold.testkit.process.ChildJvm.Program;
import dev.leasehold.testkit.process.ServerProcess;
import java.util.Map;

/** The Leasehold server that is measured: in a JVM of its own, on a schema of the measured database. */
public final class BenchServer {
    private BenchServer() {}

    /** Starts it; returns when it answers. */
    public static ServerProcess start(Database database, String schema) {
        String url = database.url() + (database.url().contains("?") ? "&" : "?") + "currentSchema=" + schema
                + (database.user().isEmpty() ? "" : "&user=" + database.user());
        Program program = Program.of(Main.class, "server", "--address", "127.0.0.1:0", "--postgres-url", url)
                .environment(Map.of(
                        "PGPASSWORD", database.password(),
                        "LOCKER_POSTGRES_CONNECTIONPOOLSIZE", Integer.toString(Bench.CONNECTIONS)))
                .options("-Xmx512m", "-XX:+UseSerialGC");
        return ServerProcess.start(program).ready();
    }
}
