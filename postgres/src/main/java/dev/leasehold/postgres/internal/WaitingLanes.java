package dev.leasehold.postgres.internal;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections for calls that wait for an advisory lock: each call waits alone, with no other call behind it.
 *
 * <p>PostgreSQL grants an advisory lock in the order of the requests. A call that only tries, or that gives up after a moment and loses
 * its place, may never get the lock of a key that many clients want. So it waits once, for as long as its timeout allows.
 *
 * <p>A client that stalls with the advisory lock of one key must not keep calls for other keys from waiting. So of the calls for one
 * key only one waits, and the others go on trying. One lane is reserved for statements that
 * {@linkplain BatchedStatement#hasReservedLane() need it}.
 *
 * <p>The connections are borrowed after several tries, and given back soon after the last wait. While none is connected, because the
 * pool has none left, calls go on trying.
 */
final class WaitingLanes {
    private static final Logger log = LoggerFactory.getLogger(WaitingLanes.class);
    private static final int MOST = 2;
    private static final int MOST_UNRESERVED = 1;
    private static final long KEEP_NANOS = Duration.ofSeconds(2).toNanos();

    private final Deque<Lane> apart = new ArrayDeque<>();
    private final Deque<Lane> connected = new ArrayDeque<>();
    private final Set<String> awaited = new HashSet<>();
    private final ExecutorService drivers;
    private final BiConsumer<Lane, PendingCall<?, ?>> run;
    private int unreserved;
    private boolean connecting;
    private boolean closed;

    /** @param run runs a call, which knows how long to wait, on a lane */
    WaitingLanes(Stream<Lane> lanes, ExecutorService drivers, BiConsumer<Lane, PendingCall<?, ?>> run) {
        lanes.limit(MOST).forEach(apart::add);
        this.drivers = drivers;
        this.run = run;
    }

    /**
     * Makes a call wait for so long. Returns false, and the call has to go on trying, if no connection is ready yet or another call
     * waits for the same lock.
     */
    boolean offer(PendingCall<?, ?> call, long waitNanos) {
        String what = call.waitsFor();
        Lane lane = what == null ? null : takeReady(call, what);
        if (lane == null || what == null) {
            return false;
        }
        call.waitFor(waitNanos);
        return execute(lane, () -> {
            try {
                run.accept(lane, call);
            } finally {
                ended(call, what);
            }
        });
    }

    /** A lane whose connection needs no validation; if there is none, one is made ready for the next time. */
    private synchronized @Nullable Lane takeReady(PendingCall<?, ?> call, String what) {
        boolean isReserved = call.kind().hasReservedLane();
        if (awaited.contains(what) || (!isReserved && unreserved >= MOST_UNRESERVED)) {
            return null;
        }
        Lane lane = connected.peek();
        if (lane == null || !lane.isReady()) {
            makeReady(lane);
            return null;
        }
        awaited.add(what);
        unreserved += isReserved ? 0 : 1;
        return connected.remove();
    }

    private synchronized void ended(PendingCall<?, ?> call, String what) {
        awaited.remove(what);
        unreserved -= call.kind().hasReservedLane() ? 0 : 1;
    }

    private void makeReady(@Nullable Lane doubted) {
        Lane next = doubted != null ? connected.remove() : connecting ? null : apart.poll();
        if (next != null) {
            connecting = true;
            boolean unused = execute(next, () -> prepare(next));
        }
    }

    private void prepare(Lane lane) {
        try {
            lane.prepare();
        } catch (SQLException | RuntimeException | Error e) {
            log.debug("event=no_connection_to_wait_on", e);
        } finally {
            synchronized (this) {
                connecting = false;
            }
        }
    }

    /** False, and nothing runs, if this was closed meanwhile. */
    private boolean execute(Lane lane, Runnable task) {
        try {
            drivers.execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException | Error e) {
                    log.warn("event=waiting_lane_failed", e);
                } finally {
                    back(lane);
                }
            });
            return true;
        } catch (RejectedExecutionException e) {
            lane.giveBack();
            return false;
        }
    }

    private void back(Lane lane) {
        boolean isOver;
        synchronized (this) {
            isOver = closed;
            if (!isOver) {
                (lane.isConnected() ? connected : apart).add(lane);
            }
        }
        if (isOver) {
            lane.giveBack();
        }
    }

    /** Gives connections back that were not needed for a while. */
    void returnUnused() {
        List<Lane> unused;
        synchronized (this) {
            unused = connected.stream()
                    .filter(lane -> lane.isUnusedFor(KEEP_NANOS))
                    .toList();
            connected.removeAll(unused);
        }
        unused.forEach(lane -> execute(lane, lane::giveBack));
    }

    /** Another connection was lost, so these are validated before they are used. */
    synchronized void doubt() {
        connected.forEach(Lane::doubt);
    }

    void close() {
        List<Lane> unused;
        synchronized (this) {
            closed = true;
            unused = List.copyOf(connected);
            connected.clear();
        }
        unused.forEach(Lane::giveBack);
    }
}
