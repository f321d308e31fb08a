package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.channels.FileChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(TestWaits.TEST_LIMIT)
class StallsTest {
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger tries = new AtomicInteger();

    /** A machine that stands still until it is let go on. */
    private Stalls standstill() {
        Stalls stalls = new Stalls() {
            @Override
            void pause(FileChannel file) throws InterruptedException {
                goOn.await();
            }
        };
        stalls.start();
        return stalls;
    }

    /** A machine that never stands still. */
    private static final class Calm extends Stalls {
        @Override
        boolean seen() {
            return false;
        }
    }

    @Test
    void a_stall_that_lasts_is_seen() {
        try (Stalls stalls = standstill()) {
            TestWaits.await().until(stalls::seen);
        }
        goOn.countDown();
    }

    @Test
    void a_stall_that_is_over_stays_seen() {
        try (Stalls stalls = standstill()) {
            TestWaits.await().until(stalls::seen);
            goOn.countDown();
            assertThat(stalls.seen()).isTrue();
        }
    }

    @Test
    void a_failure_while_the_machine_stood_still_is_tried_again() {
        TestWaits.inSeveralTries(this::failAtFirst, this::standstill);
        assertThat(tries).hasValue(2);
        goOn.countDown();
    }

    private void failAtFirst(int number) {
        try (Stalls own = standstill()) {
            TestWaits.await().until(own::seen); // as long as this takes, the other stands still too
        }
        if (tries.incrementAndGet() == 1) {
            throw new AssertionError("at first");
        }
    }

    @Test
    void any_other_failure_counts_at_once() {
        assertThatThrownBy(() -> TestWaits.inSeveralTries(
                        i -> {
                            tries.incrementAndGet();
                            throw new AssertionError("red");
                        },
                        Calm::new))
                .hasMessage("red");
        assertThat(tries).hasValue(1);
    }
}
