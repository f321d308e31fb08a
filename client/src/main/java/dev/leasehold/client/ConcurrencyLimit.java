package dev.leasehold.client;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Limits concurrent calls; the others start in order. Over HTTP/1.1 each call takes a connection. */
final class ConcurrencyLimit {
    private final int width;
    private final Deque<Call> waiting = new ArrayDeque<>();
    private int inside;

    ConcurrencyLimit(int width) {
        this.width = width;
    }

    private record Call(BooleanSupplier isOver, Runnable work) {}

    /** Runs {@code work} as soon as there is room; it must call {@link #leave} once, at its end. Skipped if {@code isOver} by then. */
    void enter(BooleanSupplier isOver, Runnable work) {
        synchronized (this) {
            if (inside == width) {
                waiting.add(new Call(isOver, work));
                return;
            }
            inside++;
        }
        work.run();
    }

    void leave() {
        Call next = next();
        if (next != null) {
            next.work.run();
        }
    }

    private synchronized @Nullable Call next() {
        Call next;
        do {
            next = waiting.poll();
        } while (next != null && next.isOver.getAsBoolean());
        if (next == null) {
            inside--;
        }
        return next;
    }
}
