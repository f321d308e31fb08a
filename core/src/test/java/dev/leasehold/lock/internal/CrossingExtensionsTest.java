package dev.leasehold.lock.internal;

import static dev.leasehold.lock.internal.RenewalsFixture.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.engine.FakeStore;
import dev.leasehold.lock.spi.ExtendResult.Extended;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A renewal and an extension by the user that are under way together may reach the store in the other order. What the store
 * did last is what counts; the expiry less the ttl says when it did it.
 */
class CrossingExtensionsTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private final RenewalsFixture time = new RenewalsFixture();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_renewal_that_the_store_ran_after_a_longer_extension_takes_it_back(boolean renewalAnsweredFirst) {
        GrantValidity validity = time.held(TTL);
        time.passSeconds(10);
        time.pause(Duration.ofMillis(50));
        long extensionSent = time.nanos();
        Instant ranExtension = FakeStore.START.plusMillis(10_060);
        Instant ranRenewal = FakeStore.START.plusMillis(10_070);
        if (renewalAnsweredFirst) {
            time.renewal(0).answer().complete(new Extended(ranRenewal.plus(TTL)));
            validity.renewed(extensionSent, LONG, ranExtension.plus(LONG));
        } else {
            validity.renewed(extensionSent, LONG, ranExtension.plus(LONG));
            time.renewal(0).answer().complete(new Extended(ranRenewal.plus(TTL)));
        }
        time.passSeconds(32);
        assertThat(time.isTrusted(validity))
                .as("42 s after the grant, when the store has let it end at 40 s")
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void an_extension_that_the_store_ran_last_counts(boolean renewalAnsweredFirst) {
        GrantValidity validity = time.held(TTL);
        time.passSeconds(10);
        time.pause(Duration.ofMillis(50));
        long extensionSent = time.nanos();
        Instant ranRenewal = FakeStore.START.plusMillis(10_060);
        Instant ranExtension = FakeStore.START.plusMillis(10_070);
        if (renewalAnsweredFirst) {
            time.renewal(0).answer().complete(new Extended(ranRenewal.plus(TTL)));
            validity.renewed(extensionSent, LONG, ranExtension.plus(LONG));
        } else {
            validity.renewed(extensionSent, LONG, ranExtension.plus(LONG));
            time.renewal(0).answer().complete(new Extended(ranRenewal.plus(TTL)));
        }
        time.passSeconds(60);
        assertThat(time.isTrusted(validity)).isTrue();
        assertThat(validity.expiresAt()).isEqualTo(ranExtension.plus(LONG));
    }
}
