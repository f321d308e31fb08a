package dev.leasehold.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.spi.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How releases are repeated while the server does not answer. */
class HttpBackgroundReleasesTest {
    private static final Duration TTL = Duration.ofDays(30);
    private final LockException down = new LockException(LockErrorCode.SERVICE_UNAVAILABLE, "down");

    private final List<Runnable> due = new ArrayList<>();
    private final List<CompletableFuture<ReleaseResult>> asked = new ArrayList<>();
    private final BackgroundReleases giveBacks =
            new BackgroundReleases((nanos, work) -> due.add(work), lockId -> ask());

    private CompletableFuture<ReleaseResult> ask() {
        CompletableFuture<ReleaseResult> reply = new CompletableFuture<>();
        asked.add(reply);
        return reply;
    }

    private void repeat(int number) {
        for (int i = 0; i < number; i++) {
            giveBacks.repeat(LockId.generate(), TTL);
        }
    }

    /** Lets the time pass that they have asked for. */
    private void pass() {
        List<Runnable> now = List.copyOf(due);
        due.clear();
        now.forEach(Runnable::run);
    }

    private void failAll() {
        List.copyOf(asked).forEach(reply -> reply.completeExceptionally(down));
    }

    @Test
    void some_are_under_way_at_once_and_when_the_server_answers_all_follow() {
        repeat(100);
        pass();
        assertThat(asked).hasSize(BackgroundReleases.ROUND);
        failAll();
        assertThat(due).as("one round at a time").hasSize(1);
        pass();
        pass();
        assertThat(asked).as("those have no answer yet").hasSize(2 * BackgroundReleases.ROUND);
        while (giveBacks.pending() > 0) {
            List.copyOf(asked).forEach(reply -> reply.complete(ReleaseResult.RELEASED));
            pass();
        }
        assertThat(asked).hasSize(100 + BackgroundReleases.ROUND);
    }

    @Test
    void so_many_are_repeated_and_no_more() {
        repeat(BackgroundReleases.MOST + 10);
        assertThat(giveBacks.pending()).isEqualTo(BackgroundReleases.MOST);
    }

    @Test
    void none_is_repeated_when_its_ttl_is_over() {
        giveBacks.repeat(LockId.generate(), Duration.ZERO);
        pass();
        failAll();
        assertThat(giveBacks.pending()).isZero();
        assertThat(due).isEmpty();
    }

    @Test
    void a_release_that_finds_nothing_was_done_by_an_earlier_try() {
        repeat(1);
        pass();
        asked.get(0).complete(ReleaseResult.NOT_FOUND);
        assertThat(giveBacks.pending()).isZero();
    }

    @Test
    void a_grant_that_may_still_come_is_looked_for_again() {
        var unused = giveBacks.begin(LockId.generate(), TTL);
        asked.get(0).complete(ReleaseResult.NOT_FOUND);
        assertThat(giveBacks.pending()).isEqualTo(1);
        pass();
        asked.get(1).complete(ReleaseResult.RELEASED);
        assertThat(giveBacks.pending()).isZero();
    }

    @Test
    void at_the_end_each_is_tried_once_more_and_none_again() {
        repeat(BackgroundReleases.ROUND + 5);
        pass();
        giveBacks.finish(Duration.ofMillis(1));
        assertThat(asked).hasSize(BackgroundReleases.ROUND + 5);
        failAll();
        pass();
        assertThat(asked).hasSize(BackgroundReleases.ROUND + 5);
    }
}
