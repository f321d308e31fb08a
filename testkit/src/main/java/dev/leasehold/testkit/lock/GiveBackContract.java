package dev.leasehold.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.Holder;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import org.junit.jupiter.api.Test;

/** A grant that nobody was told of goes back, but never one that somebody was told of. For stores that keep the locks themselves. */
public class GiveBackContract extends LockContract {
    private static final Holder US = Holder.of("billing", "node-1");

    @Test
    void what_a_holder_gives_back_is_free() {
        AcquireAttempt attempt = attempt("back").holder(US);
        grant(attempt);
        assertThat(store().giveBack(attempt).join().ok()).isTrue();
        assertThat(blocking().isLocked(lockKey("back"))).isFalse();
    }

    @Test
    void what_nobody_in_particular_gives_back_is_free() {
        AcquireAttempt attempt = attempt("back");
        grant(attempt);
        assertThat(store().giveBack(attempt).join().ok()).isTrue();
        assertThat(blocking().isLocked(lockKey("back"))).isFalse();
    }

    /** The first call was not told, because its connection broke or its caller had gone. The second was. */
    @Test
    void what_the_same_holder_has_acquired_again_is_not_given_back() {
        AcquireAttempt untold = attempt("back").holder(US);
        grant(untold);
        Granted told = grant(attempt("back").holder(US));
        assertThat(store().giveBack(untold).join().ok()).isFalse();
        assertThat(blocking().lookup(told.lockId())).isPresent();
        assertThat(blocking().release(told.lockId()).ok()).isTrue();
    }

    @Test
    void what_the_same_holder_has_acquired_anew_is_not_given_back() {
        AcquireAttempt ended = attempt("back").holder(US);
        blocking().release(grant(ended).lockId());
        Granted told = grant(attempt("back").holder(US));
        assertThat(store().giveBack(ended).join().ok()).isFalse();
        assertThat(blocking().lookup(told.lockId())).isPresent();
    }

    @Test
    void what_was_acquired_again_under_a_lock_id_that_the_user_drew_is_not_given_back() {
        AcquireAttempt drawn = drawnByUser("back");
        grant(drawn);
        grant(drawn);
        assertThat(store().giveBack(drawn).join().ok()).isFalse();
        assertThat(blocking().lookup(drawn.lockId())).isPresent();
    }

    @Test
    void what_came_too_late_under_a_lock_id_that_the_user_drew_is_free() {
        AcquireAttempt drawn = drawnByUser("back");
        grant(drawn);
        assertThat(store().giveBack(drawn).join().ok()).isTrue();
    }

    private AcquireAttempt drawnByUser(String name) {
        AcquireAttempt attempt = attempt(name);
        return new AcquireAttempt(attempt.key(), attempt.lockId(), attempt.ttl(), null, true, attempt.signal());
    }
}
