package dev.leasehold.chaos.structures;

import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.internal.WaitLines;
import dev.leasehold.lock.internal.Waiter;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The waiters of one key: first come first served, one holder, and every release wakes the next. */
@Param(name = "place", gen = IntGen.class, conf = "0:2")
@Tag("slow")
public class WaitLineTest {
    private static final int PLACES = 3;
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Timer TIMER = new Timer("structures");
    private static final LockKey KEY = LockKey.of("line");

    private final PlainStore store = new PlainStore();
    private final WaitLines lines = new WaitLines(store, TIMER, LONG);
    private final Object[] turns = {new Object(), new Object(), new Object()};
    private final AtomicReferenceArray<Waiter> waiters = new AtomicReferenceArray<>(PLACES);

    /** Joins the line, once per place. */
    @Operation
    public void join(@Param(name = "place") int place) {
        synchronized (turns[place]) {
            if (waiters.get(place) == null) {
                waiters.set(place, lines.join(AcquireAttempt.of(KEY, LONG), LONG));
            }
        }
    }

    /** Whether the place has had its turn. */
    @Operation
    public boolean isGranted(@Param(name = "place") int place) {
        return grant(place).isPresent();
    }

    /** Releases what the place holds, if it does; once. */
    @Operation
    public boolean release(@Param(name = "place") int place) {
        return grant(place).map(lockId -> store.release(lockId).join().ok()).orElse(false);
    }

    /** A place that is joining has its place in line before its waiter is noted, so that is waited for. */
    private Optional<LockId> grant(int place) {
        synchronized (turns[place]) {
            Waiter waiter = waiters.get(place);
            Optional<Waiter.Won> won =
                    waiter == null ? Optional.empty() : waiter.result().getNow(Optional.empty());
            return won.map(granted -> granted.granted().lockId());
        }
    }

    @Test
    void a_line_is_linearizable() {
        Structures.stress().sequentialSpecification(Line.class).check(WaitLineTest.class);
    }

    @Test
    @Tag("long")
    void a_line_is_linearizable_at_depth() {
        Structures.deepStress().sequentialSpecification(Line.class).check(WaitLineTest.class);
    }

    /** What a line promises, one call after the other. */
    public static class Line {
        private final Deque<Integer> line = new ArrayDeque<>();
        private final boolean[] joined = new boolean[PLACES];
        private final boolean[] granted = new boolean[PLACES];

        public void join(int place) {
            if (!joined[place]) {
                joined[place] = true;
                line.add(place);
                grantHead();
            }
        }

        public boolean isGranted(int place) {
            return granted[place];
        }

        public boolean release(int place) {
            boolean held = !line.isEmpty() && line.peek() == place;
            if (held) {
                line.remove();
                grantHead();
            }
            return held;
        }

        private void grantHead() {
            if (!line.isEmpty()) {
                granted[line.peek()] = true;
            }
        }
    }
}
