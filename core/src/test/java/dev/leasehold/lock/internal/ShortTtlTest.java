package dev.leasehold.lock.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Locks that end within a beat are held as long as any other. */
class ShortTtlTest {
    private static final Duration TTL = Duration.ofMillis(240);
    private static final Duration STOP = Duration.ofMillis(160);

    private final RenewalsFixture time = new RenewalsFixture();

    private void assertHeldFor(Duration duration, GrantValidity validity) {
        for (long ms = 1; ms < duration.toMillis(); ms++) {
            time.tick();
            assertThat(time.isTrusted(validity)).as("after %d ms", ms).isTrue();
        }
    }

    @Test
    void without_renewal_it_is_held_until_shortly_before_its_end() {
        GrantValidity validity = time.heldWithoutRenewal(TTL);
        assertHeldFor(STOP, validity);
        time.tick();
        assertThat(time.isTrusted(validity)).isFalse();
    }

    @Test
    void with_renewal_it_is_held_all_the_time() {
        time.answerRenewals();
        assertHeldFor(TTL.multipliedBy(3), time.held(TTL));
    }
}
