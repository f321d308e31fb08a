package dev.leasehold.lock.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Locks that end within a beat are held as long as any other. */
class ShortTtlTest {
    private static final Duration TTL = Duration.ofMillis(240);
    private static final Duration STOP = Duration.ofMillis(160);

    private final RenewalsFixture time = new RenewalsFixture();

    private void assertHeldFor(Duration duration, Tenure tenure) {
        for (long ms = 1; ms < duration.toMillis(); ms++) {
            time.tick();
            assertThat(time.isTrusted(tenure)).as("after %d ms", ms).isTrue();
        }
    }

    @Test
    void without_renewal_it_is_held_until_shortly_before_its_end() {
        Tenure tenure = time.heldWithoutRenewal(TTL);
        assertHeldFor(STOP, tenure);
        time.tick();
        assertThat(time.isTrusted(tenure)).isFalse();
    }

    @Test
    void with_renewal_it_is_held_all_the_time() {
        time.answerRenewals();
        assertHeldFor(TTL.multipliedBy(3), time.held(TTL));
    }
}
