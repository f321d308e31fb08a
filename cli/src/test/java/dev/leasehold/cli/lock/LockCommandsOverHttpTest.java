package dev.leasehold.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.Places;
import dev.leasehold.cli.Typed;
import dev.leasehold.server.LeaseholdServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LockCommandsOverHttpTest extends LockCommands {
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

    @Test
    void a_token_that_looks_like_a_dashed_lock_id_stays_a_token() {
        Typed answer = Typed.command(
                Typed.at(url(), "lock", "release", "AAAAAAAAAAAAAAAAAAAAAA", "--token", "-AAAAAAAAAAAAAAAAAAAAA"));
        assertThat(answer.out()).startsWith("not held");
    }
}
