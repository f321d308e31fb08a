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
 * Renews all grants of a JVM, together, and tells their holders when that fails for too long.
 *
 * <p>While grants are held a beat passes at least every 100 ms. Each beat:
 * <ol>
 *   <li>measures how late it is: a JVM that stood still puts its grants in doubt until they are renewed;
 *   <li>declares lost what could not be renewed for a whole ttl, and warns of what is late;
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
    private final Set<Tenure> tenures = ConcurrentHashMap.newKeySet();
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

    /** Runs work after a while. */
    interface Later {
        Future<?> after(long nanos, Runnable work);
    }

    public void add(Tenure tenure) {
        tenures.add(tenure);
        long first = nanosToBeatFor(tenure);
        synchronized (this) {
            if (beat == null) {
                pauses.beat();
            }
            beatWithin(first);
        }
    }

    /** How many grants are held. */
    public int count() {
        return tenures.size();
    }

    public void remove(Tenure tenure) {
        tenures.remove(tenure);
    }

    /** Whether the holder may go on now. */
    public boolean isTrusted(Tenure tenure) {
        return tenure.isTrusted(nanoTime.getAsLong(), beat != null ? pauses.stillFor() : 0);
    }

    private void beat() {
        try {
            look();
        } finally {
            long next = BEAT;
            for (Tenure tenure : tenures) {
                next = Math.min(next, nanosToBeatFor(tenure));
            }
            synchronized (this) {
                beat = null;
                if (!tenures.isEmpty()) {
                    beatWithin(next);
                }
            }
        }
    }

    /** Often enough not to take the pause between two beats for one of the JVM. */
    private long nanosToBeatFor(Tenure tenure) {
        long next = Math.min(tenure.deadlines().marginNanos() / 4, tenure.nanosToNextEvent(nanoTime.getAsLong()));
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
        for (Tenure tenure : tenures) {
            if (still >= tenure.deadlines().marginNanos()) {
                tenure.doubt(now);
            }
            if (tenure.isLost() || tenure.isOver(now)) {
                lose(tenure, "expired at " + tenure.expiresAt() + " without renewal", Reason.EXPIRED);
            } else {
                warnIfLate(tenure, now);
                due |= tenure.isDue(now);
            }
        }
        if (due) {
            renew(tenures.stream().filter(t -> t.isDue(now) || t.mayJoin(now)).toList());
        }
    }

    private void renew(List<Tenure> due) {
        List<Extension> extensions = new ArrayList<>(due.size());
        for (Tenure tenure : due) {
            tenure.renewing = true;
            extensions.add(tenure.extension());
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
            Tenure tenure = due.get(i);
            Extension extension = extensions.get(i);
            Futures.whenDone(results.get(i), (result, failure) -> answer(tenure, extension, sent, result, failure));
        }
    }

    private void answer(
            Tenure tenure, Extension extension, long sent, @Nullable ExtendResult result, @Nullable Throwable failure) {
        if (result instanceof Extended extended) {
            tenure.renewed(sent, extension.ttl(), extended.expiresAt());
        } else if (result instanceof Gone gone && tenures.contains(tenure)) {
            lose(tenure, "is gone from the store", gone.reason());
        } else {
            retryLater(tenure, failure);
        }
        tenure.renewing = false;
    }

    private void retryLater(Tenure tenure, @Nullable Throwable failure) {
        tenure.nextTryNanos = nanoTime.getAsLong()
                + Math.min(LONGEST_RETRY, tenure.deadlines().expiredNanos() / 10);
        log.debug("event=renewal_failed keyHash={}", tenure.key().hash(), failure);
    }

    private void warnIfLate(Tenure tenure, long now) {
        if (!tenure.warned && tenure.isLate(now)) {
            tenure.warned = true;
            log.warn(
                    "event=renewal_late keyHash={} fence={} expiresAt={}",
                    tenure.key().hash(),
                    tenure.fence().value(),
                    tenure.expiresAt());
        }
    }

    /** Ends the tenure as lost, tells the listener and whoever hangs on {@link Tenure#lost()}. */
    public void lose(Tenure tenure, String what, @Nullable Reason reason) {
        tenures.remove(tenure);
        if (tenure.lose(what)) {
            log.warn(
                    "event=lock_lost keyHash={} fence={} reason=\"{}\"",
                    tenure.key().hash(),
                    tenure.fence().value(),
                    what);
            events.tell(Type.LOST, false, tenure.key(), tenure.lockId(), reason, nanoTime.getAsLong());
        }
    }
}
