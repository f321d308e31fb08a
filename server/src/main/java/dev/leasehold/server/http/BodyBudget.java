package dev.leasehold.server.http;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that all bodies in flight take together: of requests that arrive or are worked on, and of answers that are written.
 *
 * <ol>
 *   <li>Bytes are charged when they are kept, not when they are announced.
 *   <li>When the budget is used up, transfers that have been under way for longer than {@link #GRACE_NANOS} are cancelled, the
 *       oldest first: a client that sends and reads promptly is done by then. Their bytes are free when their owner has let go.
 *   <li>If there are none, the newcomer is refused.
 * </ol>
 *
 * Each exchange has one {@link Share}; closing it returns everything that was charged.
 */
final class BodyBudget {
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);
    static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final long limit;
    private final AtomicLong used = new AtomicLong();

    /** Charged to transfers that were cancelled, whose owners have not let go yet. */
    private final AtomicLong leaving = new AtomicLong();

    private final Set<Share> transfers = ConcurrentHashMap.newKeySet();
    private long nextSearch = System.nanoTime();

    BodyBudget(long limit) {
        this.limit = limit;
    }

    /** How many bytes a body may have: one that is larger than the budget could never be served. */
    int limitOf(Route route) {
        return (int) Math.min(route.bodyLimit(), limit);
    }

    long used() {
        return used.get();
    }

    /** @param onCancel called on any thread when the share's transfer is cancelled; its bytes are charged until the owner returns them */
    Share open(Runnable onCancel) {
        return new Share(onCancel);
    }

    private boolean reserve(long bytes) {
        return tryReserve(bytes) || (cancelOldTransfers(bytes) && tryReserve(bytes));
    }

    private boolean tryReserve(long bytes) {
        long now = used.get();
        while (now + bytes <= limit) {
            if (used.compareAndSet(now, now + bytes)) {
                return true;
            }
            now = used.get();
        }
        return false;
    }

    /** Every refused request would search all transfers: one search serves those of the next moment. */
    private synchronized boolean cancelOldTransfers(long bytes) {
        long now = System.nanoTime();
        if (now - nextSearch < 0) {
            return used.get() + bytes <= limit;
        }
        List<Share> old = transfers.stream()
                .filter(share -> now - share.sinceNanos > GRACE_NANOS)
                .sorted(Comparator.comparingLong(share -> share.sinceNanos - now))
                .toList();
        for (Share share : old) {
            if (used.get() - leaving.get() + bytes <= limit) {
                break;
            }
            share.cancel();
        }
        nextSearch = now + PAUSE_NANOS;
        return used.get() + bytes <= limit;
    }

    /** The bytes that one exchange has charged. */
    final class Share implements AutoCloseable {
        private final Runnable onCancel;
        private volatile long sinceNanos;
        private long bytes;
        private long ending;
        private boolean isClosed;

        private Share(Runnable onCancel) {
            this.onCancel = onCancel;
        }

        /** From now on bytes are sent or received: the peer decides how long that takes. */
        void beginTransfer() {
            sinceNanos = System.nanoTime();
            transfers.add(this);
        }

        /** From now on the server works, and nobody cancels it; false if somebody just has. */
        boolean endTransfer() {
            return transfers.remove(this);
        }

        /** Charges more; false if there is no room, or the share was cancelled. */
        boolean add(long more) {
            return reserve(more) && keep(more);
        }

        /** Charges more, whether or not there is room. */
        void force(long more) {
            used.addAndGet(more);
            keep(more);
        }

        private synchronized boolean keep(long more) {
            if (isClosed) {
                used.addAndGet(-more);
                return false;
            }
            bytes += more;
            return true;
        }

        /** Returns what was charged, and can be charged again. */
        synchronized void release() {
            used.addAndGet(-bytes);
            bytes = 0;
            leaving.addAndGet(-ending);
            ending = 0;
        }

        private void cancel() {
            if (transfers.remove(this)) {
                leave();
                onCancel.run();
            }
        }

        private synchronized void leave() {
            ending = bytes;
            leaving.addAndGet(ending);
        }

        @Override
        public void close() {
            transfers.remove(this);
            synchronized (this) {
                isClosed = true;
                release();
            }
        }
    }
}
