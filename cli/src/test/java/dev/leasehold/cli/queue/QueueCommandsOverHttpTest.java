package dev.leasehold.cli.queue;

import dev.leasehold.cli.Places;
import dev.leasehold.server.LeaseholdServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class QueueCommandsOverHttpTest extends QueueCommands {
    private static LeaseholdServer server;

    @BeforeAll
    static void start() {
        server = Places.server();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    String url() {
        return Places.url(server);
    }
}
