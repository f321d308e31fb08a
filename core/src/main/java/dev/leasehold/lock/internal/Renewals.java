package dev.leasehold.lock.internal;

import dev.leasehold.lock.LockEvent.Reason;
import dev.leasehold.lock.LockEvent.Type;
import dev.leasehold.lock.spi.ExtendResult;
import dev.leasehold.lock.spi.ExtendResult.Extended;
import dev.leasehold.lock.spi.ExtendResult.Gone;
import dev.leasehold.lock.spi.Extension;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews all grants of a JVM in batches, and reports grants that are lost because that fails for too long.
 *
 * <p>While grants are held there is a beat at least every 100 ms. Each beat:
 * <ol>
 *   <li>measures how late it is: after a pause of the JVM its grants are in doubt until they are renewed;
 *   <li>declares grants lost that could not be renewed for a whole ttl, and warns of those that are late;
 *   <li>if a grant is due, renews it and every other that is past half of its interval, in one call to the store.
 * </ol>
 */
public final class Renewals {
    private static final Logger log = LoggerFactory.getLogger(Renewals.class);
    private static final long BEAT = Duration.ofMillis(100).toNanos();
    private static final long SHORTEST_BEAT = Duration.ofMillis(1).toNanos();
    private static final long LONGEST_RETRY = Duration.ofSeconds(1).toNanos();

    private final LockStore store;
    private final LockEvents events;
    private final Later later;
    private final LongSupplier nanoTime;
    private final PauseDetector pauses;
    private final Set<GrantValidity> held = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Future<?> beat;
    private long beatAtNanos;

    public Renewals(LockStore store, LockEvents events, Timer timer) {
        this(store, events, timer::schedule, System::nanoTime, System::currentTimeMillis);
    }

    Renewals(LockStore store, LockEvents events, Later later, LongSupplier nanoTime, LongSupplier wallMillis) {
        this.store = store;
        this.events = events;
        this.later = later;
        this.nanoTime = nanoTime;
        this.pauses = new PauseDetector(nanoTime, wallMillis);
    }

    /** Runs work after a delay. */
    interface Later {
        Future<?> after(long nanos, Runnable work);
    }

    public void add(GrantValidity validity) {
        held.add(validity);
        long first = nanosToBeatFor(validity);
        synchronized (this) {
            if (beat == null) {
                pauses.beat();
            }
            beatWithin(first);
        }
    }

    /** How many grants are held. */
    public int count() {
        return held.size();
    }

    public void remove(GrantValidity validity) {
        held.remove(validity);
    }

    /** Whether the holder may continue now. */
    public boolean isTrusted(GrantValidity validity) {
        return validity.isTrusted(nanoTime.getAsLong(), beat != null ? pauses.stillFor() : 0);
    }

    private void beat() {
        try {
            look();
        } finally {
            long next = BEAT;
            for (GrantValidity validity : held) {
                next = Math.min(next, nanosToBeatFor(validity));
            }
            synchronized (this) {
                beat = null;
                if (!held.isEmpty()) {
                    beatWithin(next);
                }
            }
        }
    }

    /** Often enough that the interval between two beats does not look like a pause of the JVM. */
    private long nanosToBeatFor(GrantValidity validity) {
        long next = Math.min(validity.deadlines().marginNanos() / 4, validity.nanosToNextEvent(nanoTime.getAsLong()));
        return Math.min(BEAT, Math.max(next, SHORTEST_BEAT));
    }

    private synchronized void beatWithin(long nanos) {
        long at = nanoTime.getAsLong() + nanos;
        if (beat == null || at - beatAtNanos < 0) {
            if (beat != null) {
                beat.cancel(false);
            }
            beatAtNanos = at;
            beat = later.after(nanos, this::beat);
        }
    }

    /** One pass over all grants. */
    void look() {
        long still = pauses.stillFor();
        pauses.beat();
        long now = nanoTime.getAsLong();
        boolean due = false;
        for (GrantValidity validity : held) {
            if (still >= validity.deadlines().marginNanos()) {
                validity.doubt(now);
            }
            if (validity.isLost() || validity.isOver(now)) {
                lose(validity, "expired at " + validity.expiresAt() + " without renewal", Reason.EXPIRED);
            } else {
                warnIfLate(validity, now);
                due |= validity.isDue(now);
            }
        }
        if (due) {
            renew(held.stream().filter(t -> t.isDue(now) || t.mayJoin(now)).toList());
        }
    }

    private void renew(List<GrantValidity> due) {
        List<Extension> extensions = new ArrayList<>(due.size());
        for (GrantValidity validity : due) {
            validity.renewing = true;
            extensions.add(validity.extension());
        }
        long sent = nanoTime.getAsLong();
        List<CompletableFuture<ExtendResult>> results;
        try {
            results = store.extendAll(extensions);
        } catch (RuntimeException | Error e) {
            for (int i = 0; i < due.size(); i++) {
                answer(due.get(i), extensions.get(i), sent, null, e);
            }
            return;
        }
        for (int i = 0; i < due.size(); i++) {
            GrantValidity validity = due.get(i);
            Extension extension = extensions.get(i);
            Futures.whenDone(results.get(i), (result, failure) -> answer(validity, extension, sent, result, failure));
        }
    }

    private void answer(
            GrantValidity validity,
            Extension extension,
            long sent,
            @Nullable ExtendResult result,
            @Nullable Throwable failure) {
        if (result instanceof Extended extended) {
            validity.renewed(sent, extension.ttl(), extended.expiresAt());
        } else if (result instanceof Gone gone && held.contains(validity)) {
            lose(validity, "is gone from the store", gone.reason());
        } else {
            retryLater(validity, failure);
        }
        validity.renewing = false;
    }

    private void retryLater(GrantValidity validity, @Nullable Throwable failure) {
        validity.nextTryNanos = nanoTime.getAsLong()
                + Math.min(LONGEST_RETRY, validity.deadlines().expiredNanos() / 10);
        log.debug("event=renewal_failed keyHash={}", validity.key().hash(), failure);
    }

    private void warnIfLate(GrantValidity validity, long now) {
        if (!validity.warned && validity.isLate(now)) {
            validity.warned = true;
            log.warn(
                    "event=renewal_late keyHash={} fence={} expiresAt={}",
                    validity.key().hash(),
                    validity.fence().value(),
                    validity.expiresAt());
        }
    }

    /** Declares a grant lost: reports it to the listener and completes {@link GrantValidity#lost()}. */
    public void lose(GrantValidity validity, String what, @Nullable Reason reason) {
        held.remove(validity);
        if (validity.lose(what)) {
            log.warn(
                    "event=lock_lost keyHash={} fence={} reason=\"{}\"",
                    validity.key().hash(),
                    validity.fence().value(),
                    what);
            events.tell(Type.LOST, false, validity.key(), validity.lockId(), reason, nanoTime.getAsLong());
        }
    }
}
