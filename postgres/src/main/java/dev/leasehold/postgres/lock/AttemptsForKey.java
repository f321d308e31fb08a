package dev.leasehold.postgres.lock;

import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.postgres.internal.PendingCall;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The attempts of a group for one key: the first is sent, and the others lose, unless one holds the lock already. */
final class AttemptsForKey {
    private final List<Claim> claims = new ArrayList<>(1);

    private AttemptsForKey() {}

    /**
     * An attempt.
     *
     * @param later attempts for the same grant: if this one is refused so are they, else they are repeated after it
     */
    private record Claim(
            PendingCall<AcquireAttempt, AcquireResult> call, List<PendingCall<AcquireAttempt, AcquireResult>> later) {
        boolean isSame(AcquireAttempt other) {
            AcquireAttempt attempt = call.request();
            return attempt.lockId().equals(other.lockId())
                    || (attempt.holder() != null && attempt.holder().equals(other.holder()));
        }

        void answer(AcquireOutcome outcome, List<PendingCall<AcquireAttempt, AcquireResult>> busy) {
            outcome.answer(call, busy);
            later.forEach(call -> (outcome.isLocked() ? outcome : AcquireOutcome.BUSY).answer(call, busy));
        }
    }

    static Collection<AttemptsForKey> of(List<PendingCall<AcquireAttempt, AcquireResult>> group) {
        Map<LockKey, AttemptsForKey> byKey = new LinkedHashMap<>();
        for (PendingCall<AcquireAttempt, AcquireResult> call : group) {
            byKey.computeIfAbsent(call.request().key(), key -> new AttemptsForKey())
                    .add(call);
        }
        return byKey.values();
    }

    /** A call that was busy before goes before the others. */
    private void add(PendingCall<AcquireAttempt, AcquireResult> call) {
        for (Claim claim : claims) {
            if (claim.isSame(call.request())) {
                claim.later.add(call);
                return;
            }
        }
        boolean isBeforeOthers =
                call.isRepeated() && !claims.isEmpty() && !claims.get(0).call.isRepeated();
        claims.add(isBeforeOthers ? 0 : claims.size(), new Claim(call, new ArrayList<>(0)));
    }

    AcquireAttempt first() {
        return claims.get(0).call.request();
    }

    /** Whether it may hold the lock already: an earlier attempt for the same grant is possible, or it was found to hold it. */
    static boolean mayHoldIt(PendingCall<AcquireAttempt, AcquireResult> call) {
        return call.request().isRepeatable() || call.isRepeated();
    }

    /** Adds the attempts that may hold the lock already. */
    void addThoseWhoMayHoldIt(List<AcquireAttempt> attempts) {
        for (Claim claim : claims) {
            if (mayHoldIt(claim.call)) {
                attempts.add(claim.call.request());
            }
        }
    }

    /** @param again the outcomes of attempts that may hold the lock already; none for those that do not */
    void answer(
            Map<String, AcquireOutcome> acquired,
            Map<String, AcquireOutcome> again,
            List<PendingCall<AcquireAttempt, AcquireResult>> busy) {
        AcquireOutcome ofFirst = acquired.getOrDefault(first().lockId().value(), AcquireOutcome.BUSY);
        AcquireOutcome ofOthers = ofFirst.forRivals(first().ttl());
        AcquireOutcome outcome = ofFirst;
        for (Claim claim : claims) {
            claim.answer(again.getOrDefault(claim.call.request().lockId().value(), outcome), busy);
            outcome = ofOthers;
        }
    }
}
