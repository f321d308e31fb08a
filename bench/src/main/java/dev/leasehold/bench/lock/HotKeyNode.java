package dev.leasehold.bench.lock;

import dev.leasehold.bench.Recorder;
import dev.leasehold.bench.Workers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Workers of one JVM that all want the same lock, hold it for a millisecond, and want it again. */
final class HotKeyNode {
    private static final String KEY = "hot";
    private static final long HOLD_NANOS = 1_000_000;

    private final Locker locker;
    private final int firstWorker;
    private final int workers;

    HotKeyNode(Locker locker, int firstWorker, int workers) {
        this.locker = locker;
        this.firstWorker = firstWorker;
        this.workers = workers;
    }

    Turns run(Duration duration) throws InterruptedException {
        long end = System.nanoTime() + duration.toNanos();
        List<Turn> turns = Collections.synchronizedList(new ArrayList<>());
        List<Long> cut = Collections.synchronizedList(new ArrayList<>());
        List<Workers.Step> steps = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            int worker = firstWorker + i;
            steps.add(() -> turn(worker, end, turns, cut));
        }
        Workers.run(new Recorder(), duration, steps);
        return new Turns(turns, cut);
    }

    private long turn(int worker, long end, List<Turn> turns, List<Long> cut) throws Exception {
        long asked = System.nanoTime();
        long left = end - asked;
        if (left <= 0) {
            return 0;
        }
        Locker.Held held = locker.acquire(KEY, Duration.ofNanos(left));
        long acquired = System.nanoTime();
        if (held == null) {
            cut.add(acquired - asked);
            return 0;
        }
        LockSupport.parkNanos(HOLD_NANOS);
        long released = System.nanoTime();
        held.release();
        turns.add(new Turn(worker, acquired, released, acquired - asked));
        return 1;
    }
}
