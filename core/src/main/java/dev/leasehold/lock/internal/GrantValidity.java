package dev.leasehold.lock.internal;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.LockLostException;
import dev.leasehold.lock.spi.Extension;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a holder knows about its grant: until when it may trust it, whether it is in doubt, and whether it is lost.
 *
 * <p>Trust is measured from when the last successful acquire or renewal was sent. Lost is final; doubt ends with a renewal.
 */
public final class GrantValidity {
    private final LockKey key;
    private final LockId lockId;
    private final Fence fence;
    private final boolean renews;
    private final CompletableFuture<String> lost = new CompletableFuture<>();
    private volatile Trust trust;
    private volatile boolean inDoubt;
    private long doubtedNanos;

    /* Of the renewal beat alone. */
    long nextTryNanos;
    boolean warned;
    volatile boolean renewing;

    public GrantValidity(Grant grant) {
        this.key = grant.key();
        this.lockId = grant.lockId();
        this.fence = grant.fence();
        this.renews = grant.renew();
        this.trust = new Trust(grant.sentNanos(), grant.ttl(), Deadlines.of(grant.ttl()), grant.expiresAt());
        this.nextTryNanos = trust.sinceNanos + trust.deadlines.renewNanos();
    }

    /** Whether the work may continue at {@code nowNanos}, if the JVM was paused for {@code stillNanos} before that. */
    boolean isTrusted(long nowNanos, long stillNanos) {
        Trust t = trust;
        return !lost.isDone()
                && !inDoubt
                && nowNanos - t.sinceNanos < t.deadlines.stopNanos()
                && stillNanos < t.deadlines.marginNanos();
    }

    /** A renewal that was sent at {@code sentNanos} succeeded. */
    public synchronized void renewed(long sentNanos, Duration ttl, Instant expiresAt) {
        Instant ran = expiresAt.minus(ttl);
        if (!ran.isBefore(trust.expiresAt.minus(trust.ttl))) {
            Deadlines deadlines = ttl.equals(trust.ttl) ? trust.deadlines : Deadlines.of(ttl);
            trust = new Trust(sentNanos, ttl, deadlines, expiresAt);
            nextTryNanos = sentNanos + deadlines.renewNanos();
            inDoubt = inDoubt && sentNanos - doubtedNanos < 0;
            warned = false;
        }
    }

    /** An extension to {@code ttl} is about to be sent: from now on the grant may end as early as that. */
    public synchronized void mayEnd(long sentNanos, Duration ttl) {
        Deadlines shorter = Deadlines.of(ttl);
        if (sentNanos + shorter.expiredNanos() - trust.sinceNanos - trust.deadlines.expiredNanos() < 0) {
            trust = new Trust(sentNanos, trust.ttl, shorter, trust.expiresAt);
        }
    }

    /** Puts the grant in doubt until the next renewal, which is due at once. */
    synchronized void doubt(long nowNanos) {
        inDoubt = true;
        doubtedNanos = nowNanos;
        nextTryNanos = nowNanos;
    }

    /** The grant is lost. Only the first reason counts; true if this was it. */
    public boolean lose(String what) {
        return lost.complete(what);
    }

    boolean isLost() {
        return lost.isDone();
    }

    boolean isDue(long nowNanos) {
        return renews && !renewing && nowNanos - nextTryNanos >= 0;
    }

    boolean mayJoin(long nowNanos) {
        return renews && !renewing && nowNanos - trust.sinceNanos >= trust.deadlines.earlyNanos();
    }

    boolean isOver(long nowNanos) {
        return nowNanos - trust.sinceNanos >= trust.deadlines.expiredNanos();
    }

    boolean isLate(long nowNanos) {
        return renews && nowNanos - trust.sinceNanos >= trust.deadlines.warnNanos();
    }

    /** How long until the next beat that this grant needs. */
    long nanosToNextEvent(long nowNanos) {
        long toExpiry = trust.sinceNanos + trust.deadlines.expiredNanos() - nowNanos;
        return renews && !renewing ? Math.min(nextTryNanos - nowNanos, toExpiry) : toExpiry;
    }

    Extension extension() {
        return new Extension(lockId, trust.ttl);
    }

    Deadlines deadlines() {
        return trust.deadlines;
    }

    public Duration ttl() {
        return trust.ttl;
    }

    public Instant expiresAt() {
        return trust.expiresAt;
    }

    public LockKey key() {
        return key;
    }

    public LockId lockId() {
        return lockId;
    }

    public Fence fence() {
        return fence;
    }

    /** Completes, with the reason, when the grant is lost. */
    public CompletableFuture<String> lost() {
        return lost;
    }

    /** The exception that stops the work. */
    public LockLostException exception() {
        @Nullable String what = lost.getNow(null);
        return new LockLostException(
                key,
                fence,
                what != null ? what : "is in doubt: its last renewal is too long ago, expiry " + expiresAt());
    }

    private record Trust(long sinceNanos, Duration ttl, Deadlines deadlines, Instant expiresAt) {}
}
