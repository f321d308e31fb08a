package dev.leasehold.postgres.internal;

import dev.leasehold.GroupStatistics;
import dev.leasehold.LeaseholdException;
import dev.leasehold.spi.Timer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.postgresql.ds.common.BaseDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Group commit: concurrent calls are batched into one message, and one commit.
 *
 * <ol>
 *   <li>A call joins the line of its statement. If a lane is idle it starts at once: no call is held back to form a larger group.
 *   <li>A caller that would block anyway drives the idle lane itself, so a call alone costs no change of threads.
 *   <li>A busy lane, when it has its result, takes the calls of one statement as its next group: of the longest line, or of the one that
 *       has waited longest, if that was passed over twice.
 *   <li>Calls that were sent together share a message and its commit, each in the group of its statement: a release and the acquire
 *       of the next holder. Others do not: each statement in a message costs time, and a group of one statement only is larger.
 *   <li>If one call may be the reason that a message failed, its groups run separately and are halved until that call is alone.
 *   <li>An optimistic statement fails if its assumption is wrong. Then the complete one follows at once.
 *   <li>A call for which a statement returned nothing is repeated at once, with a statement that finds out more. If another transaction
 *       still holds its row or advisory lock, it is repeated a little later, so that no lane waits with a whole group behind it. A
 *       deadlock or a serialization failure counts as such a row. After several tries it waits on one of the {@link WaitingLanes}.
 *   <li>A call that has no result within the timeout fails.
 * </ol>
 *
 * The monitor of this object guards lines and idle lanes; it is never held during I/O or while answering.
 */
public final class GroupCommit implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(GroupCommit.class);
    private static final long WATCH_MILLIS = 50;

    private final Lines lines;
    private final Deque<Lane> idle = new ArrayDeque<>();
    private final InFlightGroups flights = new InFlightGroups();
    private final List<Lane> lanes = new ArrayList<>();
    private final WaitingLanes waiting;
    private final Retries retries;
    private final ExecutorService drivers;
    private final Duration timeout;
    private final Failures failures;
    private final Reachability reachability;
    private final LeaseholdException lastResort;
    private final LongAdder sentCalls = new LongAdder();
    private final LongAdder sentMessages = new LongAdder();
    private boolean closed;

    /** @param groupLimit the most calls in a group, whatever their statement allows; 1 switches group commit off */
    public GroupCommit(
            DataSource dataSource, int connections, int groupLimit, Duration timeout, Timer timer, Failures failures) {
        this.failures = failures;
        this.drivers = Executors.newCachedThreadPool(Timer.daemon("leasehold-lane"));
        this.timeout = timeout;
        this.lines = new Lines(groupLimit);
        this.reachability = new Reachability(!(dataSource instanceof BaseDataSource), failures);
        this.lastResort =
                failures.failure(ErrorCategory.INTERNAL, "Unexpected failure, of which there is no more to say", null);
        for (int i = 0; i < connections; i++) {
            Lane lane = new Lane(dataSource, timeout, drivers, reachability);
            lanes.add(lane);
            idle.push(lane);
        }
        this.waiting = new WaitingLanes(
                Stream.generate(() -> new Lane(dataSource, timeout, drivers, reachability)), drivers, this::runWaiting);
        this.retries = new Retries(waiting, call -> send(call, false), timer, timeout, failures);
        timer.every(TimeUnit.MILLISECONDS.toNanos(WATCH_MILLIS), this::watch);
    }

    /** Sends one call; {@code inCallerThread} if its caller will block for the answer. */
    public <Q, R> void send(PendingCall<Q, R> call, boolean inCallerThread) {
        if (!call.isOver()) {
            send(List.of(call), inCallerThread);
        }
    }

    /** Sends calls together, as far as their statements allow. */
    public void send(List<? extends PendingCall<?, ?>> calls, boolean inCallerThread) {
        if (calls.size() > 1) {
            calls.forEach(PendingCall::accompany);
        }
        Lane lane = null;
        boolean refused;
        synchronized (this) {
            refused = closed;
            if (!refused) {
                calls.forEach(lines::add);
                lane = idle.poll();
            }
        }
        if (refused) {
            calls.forEach(call -> call.fail(failures.closed()));
        } else if (lane != null && inCallerThread && lane.isReady()) {
            driveOnce(lane);
        } else if (lane != null) {
            driveElsewhere(lane);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // a yield is all that is wanted: correctness does not rely on it
    private void driveElsewhere(Lane lane) {
        elsewhere(lane, () -> {
            while (connectAndRunNext(lane)) {
                Thread.yield(); // callers whose calls have just completed may join the next group
            }
        });
    }

    /**
     * Connects first, with the calls still in line: the pool may have no connection for this lane, and another lane may be free sooner.
     * False, and the lane is idle, if there are no calls.
     */
    private boolean connectAndRunNext(Lane lane) {
        if (lane.isReady()) {
            return runNext(lane);
        }
        if (isIdle(lane)) {
            return false;
        }
        long began = System.nanoTime();
        try {
            lane.prepare();
        } catch (SQLException e) {
            return failBefore(began, lane, e);
        } catch (RuntimeException | Error e) {
            log.debug("event=connect_failed", e); // it fails again with the next calls, which are then told
        }
        return runNext(lane);
    }

    /** Whether there are no calls: the lane is idle then, or has given its connection back. */
    private boolean isIdle(Lane lane) {
        boolean isOver;
        synchronized (this) {
            if (!lines.isEmpty()) {
                return false;
            }
            isOver = closed;
            if (!isOver && lane.isConnected()) {
                idle.addFirst(lane); // the next call takes one that is connected, if there is any
            } else if (!isOver) {
                idle.addLast(lane);
            }
        }
        if (isOver) {
            lane.giveBack();
        }
        return true;
    }

    /**
     * There is no connection for this lane. Calls that were in line when it began to connect fail, unless another lane works and serves
     * them.
     */
    private boolean failBefore(long began, Lane lane, SQLException e) {
        List<PendingCall<?, ?>> calls;
        boolean isAlone;
        synchronized (this) {
            isAlone = !flights.isAnyInFlight(lanes);
            calls = isAlone ? lines.takeBornBefore(began) : List.of();
            if (!isAlone) {
                idle.addLast(lane);
            }
        }
        LeaseholdException failure = notReached(lane, e);
        calls.forEach(call -> call.fail(failure));
        return isAlone;
    }

    private void elsewhere(Lane lane, Runnable work) {
        try {
            drivers.execute(work);
        } catch (RejectedExecutionException e) {
            lane.giveBack(); // closed meanwhile, and all calls have failed
        } catch (Error e) {
            rest(lane, e); // no thread is to be had
        }
    }

    /** A lane that could not go on is idle until the next call, or until the watch finds a call in line. */
    private void rest(Lane lane, Throwable why) {
        synchronized (this) {
            idle.push(lane);
        }
        log.warn("event=lane_rests", why);
    }

    /** One group in the caller's thread; calls that came meanwhile are served by a thread of ours. */
    private void driveOnce(Lane lane) {
        if (runNext(lane) && !isIdle(lane)) {
            driveElsewhere(lane);
        }
    }

    /** Runs the next groups; false, and the lane is idle, if there are none. */
    private boolean runNext(Lane lane) {
        List<Group<?, ?>> groups;
        try {
            groups = takeOff(lane);
        } catch (RuntimeException | Error e) {
            rest(lane, e);
            return false;
        }
        if (!groups.isEmpty()) {
            fly(lane, groups);
        }
        return !groups.isEmpty();
    }

    /** The next groups, which the lane has from now on; none, and the lane is idle or has given its connection back. */
    private List<Group<?, ?>> takeOff(Lane lane) {
        List<Group<?, ?>> groups;
        boolean isOver;
        synchronized (this) {
            groups = lines.next();
            isOver = groups.isEmpty() && closed;
            if (!groups.isEmpty()) {
                flights.begin(lane, groups);
            } else if (!isOver) {
                idle.push(lane);
            }
        }
        if (isOver) {
            lane.giveBack();
        }
        return groups;
    }

    /** One call that waits for an advisory lock. */
    private <Q, R> void runWaiting(Lane lane, PendingCall<Q, R> call) {
        List<Group<?, ?>> groups = List.of(new Group<>(call.kind(), List.of(call)));
        synchronized (this) {
            flights.begin(lane, groups);
        }
        fly(lane, groups);
    }

    private void fly(Lane lane, List<Group<?, ?>> groups) {
        try {
            run(lane, groups);
        } catch (RuntimeException | Error e) {
            crashed(lane, groups, e);
        } finally {
            synchronized (this) {
                flights.end(lane);
            }
        }
    }

    /** Fails the calls first: without memory the rest may fail too. */
    private void crashed(Lane lane, List<Group<?, ?>> groups, Throwable why) {
        try {
            Group.fail(groups, failures.failure(ErrorCategory.INTERNAL, "Unexpected failure: " + why, why), true);
            lane.discard();
            log.error("event=group_failed", why);
        } catch (RuntimeException | Error again) {
            Group.fail(groups, lastResort, true);
            lane.discard();
        }
    }

    /** What was last seen of the database, for other users of it. */
    public Reachability reachability() {
        return reachability;
    }

    /** How many calls were sent in how many messages. */
    public GroupStatistics statistics() {
        return new GroupStatistics(sentCalls.sum(), sentMessages.sum());
    }

    private void run(Lane lane, List<Group<?, ?>> groups) {
        sentMessages.increment();
        groups.forEach(group -> sentCalls.add(group.calls().size()));
        try {
            List<PendingCall<?, ?>> busy = lane.run(groups);
            reachability.answered();
            busy.forEach(retries::busy);
        } catch (Lane.NotSentException e) {
            fail(lane, groups, e.reason(), false);
        } catch (SQLException e) {
            List<Group<?, ?>> apart = Group.apart(groups);
            if (groups.stream().allMatch(Group::isHint)) {
                fail(lane, groups, e, true);
            } else if (PostgresErrors.isOptimisticMiss(e) && groups.stream().allMatch(Group::mayBeOptimistic)) {
                groups.forEach(group -> run(lane, List.of(group.repeated())));
            } else if (PostgresErrors.mayBeOneMember(e) && apart.size() > 1) {
                apart.forEach(part -> run(lane, List.of(part)));
            } else if (PostgresErrors.isConflict(e)) {
                groups.forEach(group -> group.calls().forEach(retries::afterConflict));
            } else {
                fail(lane, groups, e, true);
            }
        } catch (LeaseholdException e) {
            Group.fail(groups, e, true); // reading the result failed, which is after the commit
        }
    }

    private void fail(Lane lane, List<Group<?, ?>> groups, SQLException e, boolean wasSent) {
        Group.fail(groups, notReached(lane, e), wasSent && PostgresErrors.isConnectionLost(e));
    }

    /** A message or an attempt to connect failed; returns the failure for its calls. */
    private LeaseholdException notReached(Lane lane, SQLException e) {
        if (PostgresErrors.isConnectionLost(e)) {
            lane.discard();
            lanes.forEach(Lane::doubt);
            waiting.doubt();
        }
        return reachability.failed(e);
    }

    /**
     * Fails calls at their timeout, cancels waits whose caller has gone, gives idle connections back, and serves calls that found no
     * thread.
     */
    private void watch() {
        List<PendingCall<?, ?>> late = new ArrayList<>();
        List<Lane> unused;
        Lane forgotten;
        synchronized (this) {
            if (closed) {
                return;
            }
            long now = System.nanoTime();
            lines.forEach(call -> collectLate(call, now, late));
            retries.forEach(call -> collectLate(call, now, late));
            flights.forEachCall(call -> collectLate(call, now, late));
            flights.forEachAbandonedWait((lane, groups) -> drivers.execute(() -> lane.cancel(groups)));
            forgotten = lines.isEmpty() ? null : idle.poll();
            unused = idle.stream().filter(Lane::isUnused).toList();
            idle.removeAll(unused);
        }
        failLate(late);
        if (forgotten != null) {
            driveElsewhere(forgotten);
        }
        waiting.returnUnused();
        for (Lane lane : unused) {
            elsewhere(lane, () -> {
                lane.giveBack();
                if (!isIdle(lane)) {
                    driveElsewhere(lane);
                }
            });
        }
    }

    private void collectLate(PendingCall<?, ?> call, long now, List<PendingCall<?, ?>> late) {
        if (!call.isOver() && call.ageNanos(now) > timeout.toNanos()) {
            late.add(call);
        }
    }

    private void failLate(List<PendingCall<?, ?>> late) {
        boolean isConnecting = lanes.stream().anyMatch(Lane::isConnecting);
        long now = System.nanoTime();
        late.forEach(call -> call.fail(reachability.tooLate(timeout, call.ageNanos(now), isConnecting)));
    }

    @Override
    public void close() {
        List<PendingCall<?, ?>> left = new ArrayList<>();
        List<Lane> unused;
        synchronized (this) {
            closed = true;
            lines.forEach(left::add);
            lines.clear();
            unused = List.copyOf(idle);
            idle.clear();
        }
        left.forEach(call -> call.fail(failures.closed()));
        retries.close();
        unused.forEach(Lane::giveBack);
        waiting.close();
        drivers.shutdown();
    }
}
