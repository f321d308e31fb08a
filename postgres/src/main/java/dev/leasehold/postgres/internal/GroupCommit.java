package dev.leasehold.postgres.internal;

import dev.leasehold.GroupStatistics;
import dev.leasehold.LeaseholdException;
import dev.leasehold.spi.Timer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import org.postgresql.ds.common.BaseDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Group commit: calls that arrive while the lanes are busy travel together in the next message.
 *
 * <ol>
 *   <li>A call joins the line of its kind. If a lane is idle it starts at once: nothing is ever held back to wait for company.
 *   <li>A caller that would block anyway drives the idle lane itself, so a lonely call costs no change of threads.
 *   <li>A busy lane, when it has its answer, takes all calls of one kind as its next group: of the largest line, or of the one that
 *       has waited longest, if that was passed over twice.
 *   <li>Calls that were sent together share a message and its commit, each in the group of its kind: a release and the acquire
 *       that takes over. Others do not: a message costs by its statements, so the other kind is better off in its own, larger.
 *   <li>If one member may be the reason that a message failed, its groups are run apart, and halved until it stands alone.
 *   <li>A statement may be hasty: it assumes that all is well, and fails if not. Then the careful one of its kind follows at once.
 *   <li>A call of which a statement could not say enough is asked again at once, with a more careful one of its kind. If a row or
 *       an advisory lock is still taken by another transaction, then a little later, so that no lane waits for it with a whole
 *       group at its back.
 *   <li>A call that has had no answer within the timeout fails.
 * </ol>
 *
 * The monitor of this object guards lines and idle lanes; it is never held during I/O or while answering.
 */
public final class GroupCommit implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(GroupCommit.class);
    private static final long WATCH_MILLIS = 50;

    /** How long a try takes that finds a row or a table locked, with some to spare. */
    private static final long LOCK_WAIT_NANOS = Duration.ofMillis(150).toNanos();

    private final Lines lines;
    private final Deque<Lane> idle = new ArrayDeque<>();
    private final Map<Lane, List<Group<?, ?>>> flying = new HashMap<>();
    private final List<Lane> lanes = new ArrayList<>();
    private final ExecutorService drivers;
    private final Timer timer;
    private final Duration timeout;
    private final Failures failures;
    private final boolean pooling;
    private final LongAdder sentCalls = new LongAdder();
    private final LongAdder sentMessages = new LongAdder();
    private boolean closed;

    /** @param groupLimit the most calls that travel together, whatever their kind allows; 1 switches group commit off */
    public GroupCommit(
            DataSource dataSource, int connections, int groupLimit, Duration timeout, Timer timer, Failures failures) {
        this.failures = failures;
        this.drivers = Executors.newCachedThreadPool(Timer.daemon("leasehold-lane"));
        this.timer = timer;
        this.timeout = timeout;
        this.lines = new Lines(groupLimit);
        this.pooling = !(dataSource instanceof BaseDataSource);
        for (int i = 0; i < connections; i++) {
            Lane lane = new Lane(dataSource, timeout, drivers);
            lanes.add(lane);
            idle.push(lane);
        }
        timer.after(TimeUnit.MILLISECONDS.toNanos(WATCH_MILLIS), this::watch);
    }

    /** Sends one call; {@code inCallerThread} if its caller will block for the answer. */
    public <Q, R> void send(Call<Q, R> call, boolean inCallerThread) {
        if (!call.isOver()) {
            sendAll(List.of(call), inCallerThread);
        }
    }

    /** Sends calls so that they travel together, as far as their kinds allow. */
    public void sendAll(List<? extends Call<?, ?>> calls, boolean inCallerThread) {
        if (calls.size() > 1) {
            calls.forEach(Call::accompany);
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
        try {
            drivers.execute(() -> {
                while (runNext(lane)) {
                    Thread.yield(); // whom the answers have woken may want to come along
                }
            });
        } catch (RejectedExecutionException e) {
            lane.giveBack(); // closed meanwhile, and whoever waited for this lane has been told
        }
    }

    /** One group in the caller's thread; who came meanwhile is served by a thread of ours. */
    private void driveOnce(Lane lane) {
        if (!runNext(lane)) {
            return;
        }
        boolean more;
        synchronized (this) {
            more = closed || !lines.isEmpty();
            if (!more) {
                idle.push(lane);
            }
        }
        if (more) {
            driveElsewhere(lane);
        }
    }

    /** Runs the next groups; false, and the lane is idle, if there are none. */
    private boolean runNext(Lane lane) {
        List<Group<?, ?>> groups;
        synchronized (this) {
            groups = lines.next();
            if (groups.isEmpty() && !closed) {
                idle.push(lane);
                return false;
            }
            flying.put(lane, groups);
        }
        if (groups.isEmpty()) {
            lane.giveBack();
            return false;
        }
        try {
            run(lane, groups);
        } catch (RuntimeException | Error e) {
            log.error("event=group_failed", e);
            fail(groups, failures.failure(Trouble.INTERNAL, "Unexpected failure: " + e, e), true);
            lane.discard();
        } finally {
            synchronized (this) {
                flying.remove(lane);
            }
        }
        return true;
    }

    /** How many calls have been sent in how many messages. */
    public GroupStatistics statistics() {
        return new GroupStatistics(sentCalls.sum(), sentMessages.sum());
    }

    private void run(Lane lane, List<Group<?, ?>> groups) {
        sentMessages.increment();
        groups.forEach(group -> sentCalls.add(group.calls().size()));
        try {
            lane.run(groups).forEach(this::askAgain);
        } catch (SQLException e) {
            List<Group<?, ?>> apart = apart(groups);
            if (PostgresErrors.isTooHasty(e) && groups.stream().allMatch(Group::mayBeHasty)) {
                groups.forEach(group -> run(lane, List.of(group.carefully())));
            } else if (PostgresErrors.mayBeOneMember(e) && apart.size() > 1) {
                apart.forEach(part -> run(lane, List.of(part)));
            } else if (PostgresErrors.isLockTimeout(e)) {
                groups.forEach(group -> group.calls().forEach(this::askAgain));
            } else {
                boolean lost = PostgresErrors.isConnectionLost(e);
                if (lost) {
                    lane.discard();
                    lanes.forEach(Lane::doubt);
                }
                fail(groups, failures.of(e), lost);
            }
        } catch (LeaseholdException e) {
            fail(groups, e, false);
        }
    }

    /** What to run apart to find the member that is the reason: the kinds, or the halves of one. */
    private static List<Group<?, ?>> apart(List<Group<?, ?>> groups) {
        Group<?, ?> only = groups.get(0);
        return groups.size() > 1 || only.calls().size() == 1 ? groups : only.halves();
    }

    private static void fail(List<Group<?, ?>> groups, LeaseholdException failure, boolean unknown) {
        groups.forEach(group -> group.fail(failure, unknown));
    }

    private static void failAll(List<Call<?, ?>> calls, LeaseholdException failure) {
        calls.forEach(call -> call.fail(failure));
    }

    private <Q, R> void askAgain(Call<Q, R> call) {
        long pause = call.nextTryNanos();
        long nextAnswer = call.ageNanos(System.nanoTime()) + pause + LOCK_WAIT_NANOS;
        if (pause == 0) {
            send(call, false);
        } else if (nextAnswer > timeout.toNanos()) {
            call.fail(failures.busy(call.kind().busyMessage()));
        } else {
            timer.after(pause, () -> send(call, false));
        }
    }

    private void watch() {
        try {
            failLateAndReturnUnused();
        } finally {
            timer.after(TimeUnit.MILLISECONDS.toNanos(WATCH_MILLIS), this::watch);
        }
    }

    /** Fails calls that have had no answer for too long, and gives idle connections back. */
    private void failLateAndReturnUnused() {
        List<Call<?, ?>> late = new ArrayList<>();
        List<Lane> unused;
        synchronized (this) {
            if (closed) {
                return;
            }
            long now = System.nanoTime();
            lines.forEach(call -> collectLate(call, now, late));
            flying.values()
                    .forEach(groups ->
                            groups.forEach(group -> group.calls().forEach(call -> collectLate(call, now, late))));
            unused = idle.stream().filter(Lane::isUnused).toList();
            idle.removeAll(unused);
        }
        if (!late.isEmpty()) {
            failAll(late, tooLate());
        }
        for (Lane lane : unused) {
            drivers.execute(() -> {
                lane.giveBack();
                driveOnce(lane);
            });
        }
    }

    private void collectLate(Call<?, ?> call, long now, List<Call<?, ?>> late) {
        if (!call.isOver() && call.ageNanos(now) > timeout.toNanos()) {
            late.add(call);
        }
    }

    private LeaseholdException tooLate() {
        String after = " within " + timeout.toMillis() + "ms";
        boolean noConnection = lanes.stream().anyMatch(Lane::isConnecting);
        if (noConnection && pooling) {
            return failures.failure(Trouble.RATE_LIMITED, "The pool had no connection to give" + after, null);
        }
        String what = noConnection ? "PostgreSQL did not accept a connection" : "PostgreSQL did not answer";
        return failures.failure(Trouble.NETWORK_TIMEOUT, what + after, null);
    }

    @Override
    public void close() {
        List<Call<?, ?>> left = new ArrayList<>();
        List<Lane> unused;
        synchronized (this) {
            closed = true;
            lines.forEach(left::add);
            lines.clear();
            unused = List.copyOf(idle);
            idle.clear();
        }
        failAll(left, failures.closed());
        unused.forEach(Lane::giveBack);
        drivers.shutdown();
    }
}
