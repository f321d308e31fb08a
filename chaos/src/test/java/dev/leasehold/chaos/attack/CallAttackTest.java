package dev.leasehold.chaos.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.attack.HostileClient.Reply;
import dev.leasehold.chaos.attack.HostileClient.Shot;
import dev.leasehold.testkit.TestWaits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Calls that ask for too much, or make no sense, while a normal client goes on. */
@Tag("long")
@Tag("slow")
@Timeout(4 * TestWaits.TEST_LIMIT)
@ResourceLock("most of the machine") // one class at a time that loads the machine with processes and connections
class CallAttackTest {
    /** A page or batch ends at a 64th of the heap, 4 MB here; in JSON that is a third more, beside what surrounds each item. */
    private static final int LONGEST_ANSWER = 12_000_000;

    private static final int FUZZED = 4_000;
    private static final int LARGE_ITEMS = 30;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

    @TempDir
    static Path directory;

    private static Victim victim;
    private static HostileClient attacker;

    @BeforeAll
    static void start() {
        victim = Victim.start(directory);
        attacker = new HostileClient(victim.uri());
    }

    @AfterAll
    static void stop() {
        victim.close();
    }

    @AfterEach
    void recover() {
        attacker.deleteAll();
        assertThat(victim.awaitRecovery()).isEmpty();
    }

    /** Runs it in a thread of its own, while the normal client goes on. */
    private static void besideNormalClient(Runnable attack) {
        CompletableFuture<Void> attacking = CompletableFuture.runAsync(attack);
        do {
            victim.client().turn();
        } while (!attacking.isDone());
        attacking.join();
    }

    @Test
    void pages_without_end_are_cut() {
        HugeCalls calls = new HugeCalls(attacker);
        besideNormalClient(() -> {
            calls.fill(50_000, 10);
            assertThat(calls.together(HugeCalls.list())).allSatisfy(page -> {
                assertThat(page.status()).isIn(200, 454);
                assertThat(page.body().length()).isLessThan(LONGEST_ANSWER);
            });
        });
    }

    @Test
    void calls_with_far_too_much_are_refused_or_cut() {
        new HugeCalls(attacker).fill(1_000, 10);
        besideNormalClient(() -> {
            for (Shot shot : HugeCalls.all()) {
                Reply reply = attacker.send(shot, true, PATIENCE);
                assertThat(reply.status()).as(shot.path() + ": " + start(reply)).isIn(200, 400);
                assertThat(reply.body().length()).isLessThan(LONGEST_ANSWER);
            }
        });
    }

    private static String start(Reply reply) {
        return reply.body().substring(0, Math.min(200, reply.body().length()));
    }

    @Test
    void a_queue_with_a_million_partitions_is_refused_and_not_stored() {
        attacker.create("hostile-narrow", ", \"requested_partitions\": 1");
        Reply created = attacker.send(HugeCalls.partitions("/v1/queues.create", "hostile-wide"), true, PATIENCE);
        Reply updated = attacker.send(HugeCalls.partitions("/v1/queues.update", "hostile-narrow"), true, PATIENCE);
        assertThat(List.of(created.status(), updated.status())).containsOnly(400);
        Reply all = attacker.post("/v1/queues.list", "{\"namespace\": \"hostile\", \"limit\": 100}");
        assertThat(all.body())
                .contains("hostile-narrow")
                .doesNotContain("hostile-wide")
                .doesNotContain("1000000");
        assertThat(attacker.delete("hostile-narrow").status()).isEqualTo(200);
    }

    /** With one attempt for each item, one that was leased and not delivered would be a dead letter. */
    @Test
    void a_batch_that_is_too_large_to_deliver_loses_no_item() {
        HugeCalls calls = new HugeCalls(attacker);
        calls.fill(LARGE_ITEMS, 3_600_000);
        Set<String> delivered = new HashSet<>();
        besideNormalClient(() -> {
            long end = System.nanoTime() + 2 * PATIENCE.toNanos();
            while (delivered.size() < LARGE_ITEMS && System.nanoTime() < end) {
                Reply reply = attacker.send(HugeCalls.lease("large"), true, PATIENCE);
                List<String> ids = ID.matcher(reply.body())
                        .results()
                        .map((MatchResult id) -> id.group(1))
                        .toList();
                delivered.addAll(ids);
                ids.forEach(this::complete);
            }
        });
        assertThat(delivered).hasSize(LARGE_ITEMS);
    }

    private void complete(String id) {
        Reply reply = attacker.post("/v1/queue.complete", """
                {"queue_name": "%s", "request_timeout": "1m", "ids": ["%s"]}""".formatted(HugeCalls.QUEUE, id));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    }

    @Test
    void fuzzed_requests_with_and_without_a_credential_fail_nothing() {
        Fuzz fuzz = new Fuzz(1);
        besideNormalClient(() -> {
            for (int i = 0; i < FUZZED; i++) {
                Shot shot = fuzz.next();
                Reply reply = attacker.send(shot, i % 2 == 0, PATIENCE);
                assertThat(reply.status()).as(shot.path() + ": " + start(reply)).isNotEqualTo(500);
            }
        });
        assertThat(victim.client().problems()).isEmpty();
    }
}
