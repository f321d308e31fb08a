package dev.leasehold.cli;

import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.postgresql.ds.PGSimpleDataSource;

/** Where the commands of tests work. */
public final class Places {
    private Places() {}

    /** A server that forgets everything, on a free port. */
    public static LeaseholdServer server() {
        return LeaseholdServer.start(
                ServerOptions.DEFAULT.address("127.0.0.1", 0), MemoryLocks.create(), MemoryQueues.create());
    }

    public static String url(LeaseholdServer server) {
        return "http://127.0.0.1:" + server.port();
    }

    /** The address of a test's schema, as somebody would type it. */
    public static String url(PGSimpleDataSource schema) {
        return schema.getURL() + parameter("user", schema.getUser()) + parameter("password", schema.getPassword());
    }

    private static String parameter(String name, String value) {
        return value == null ? "" : "&" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
