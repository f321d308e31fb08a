package dev.leasehold.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.Places;
import dev.leasehold.cli.Typed;
import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.server.auth.ApiKeys;
import dev.leasehold.server.auth.Grant;
import dev.leasehold.server.auth.Permission;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands at a server whose only key may read the locks of one namespace, and nothing else. */
class ForbiddenTest {
    private static final String KEY = "reader-key";
    private static LeaseholdServer server;

    @BeforeAll
    static void start() throws NoSuchAlgorithmException {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(KEY.getBytes(StandardCharsets.UTF_8));
        Grant grant = new Grant("billing", Set.of(Permission.LOCKS_READ));
        ApiKeys keys =
                new ApiKeys(List.of(new ApiKeys.Key("reader", HexFormat.of().formatHex(hash), List.of(grant))));
        MemoryQueues queues = MemoryQueues.create();
        queues.create(QueueConfig.named("emails"));
        server = LeaseholdServer.start(
                ServerOptions.DEFAULT.address("127.0.0.1", 0).access(keys), MemoryLocks.create(), queues);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Typed command(String words) {
        return Typed.command(
                Stream.concat(Stream.of(words.split(" ")), Stream.of("--url", Places.url(server), "--token", KEY))
                        .toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "lock acquire shop:7, locks.write in the namespace 'shop'",
                "lock acquire plain, locks.write in the namespace '_system'",
                "lock lookup shop:7, locks.read in the namespace 'shop'",
                "lock list --prefix billing:, locks.admin in the namespace 'billing'",
                "lock list, locks.admin in all namespaces ('*')",
                "lock force-release billing:7 --fence 1 --reason x, locks.admin in the namespace 'billing'",
                "queue create q --namespace shop, queues.admin in the namespace 'shop'",
                "queue produce emails -p x, queues.produce in the namespace of the queue 'emails'",
                "queue lease nobody-s, queues.consume in the namespace of the queue 'nobody-s'",
                "queue list, queues.admin or queues.consume or queues.produce in the namespace '_system'"
            })
    void a_refusal_names_the_permission_and_the_namespace(String words, String permission) {
        Typed answer = command(words);
        assertThat(answer.status()).isEqualTo(ExitStatus.FAILURE);
        assertThat(answer.out()).isEmpty();
        assertThat(answer.err()).startsWith("leasehold: access denied: this needs the permission " + permission);
        assertThat(answer.err().lines()).hasSize(1);
    }

    @Test
    void what_is_allowed_is_done() {
        assertThat(command("lock lookup billing:7").out()).contains("free");
    }
}
