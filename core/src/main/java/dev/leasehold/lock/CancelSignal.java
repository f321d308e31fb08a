package dev.leasehold.lock;

import java.util.ArrayList;
import java.util.List;

/**
 * A way to say stop to calls that are under way, from any thread, once.
 *
 * <p>A call with a cancelled signal ends as {@link LockErrorCode#ABORTED}. A grant that crosses with the cancel is given back.
 */
public final class CancelSignal {
    private static final CancelSignal NONE = new CancelSignal();

    private final Object monitor = new Object();
    private final List<Runnable> listeners = new ArrayList<>();
    private volatile boolean cancelled;

    /** A signal that is never given. */
    public static CancelSignal none() {
        return NONE;
    }

    /** Says stop. Listeners run in this thread, each once. */
    public void cancel() {
        if (this == NONE) {
            throw LockException.invalidArgument("CancelSignal.none() cannot be cancelled: create a new CancelSignal()");
        }
        List<Runnable> toTell;
        synchronized (monitor) {
            cancelled = true;
            toTell = List.copyOf(listeners);
            listeners.clear();
        }
        RuntimeException first = null;
        for (Runnable listener : toTell) {
            try {
                listener.run();
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    public boolean isCancelled() {
        return cancelled;
    }

    /** Throws Aborted if the signal was given. */
    public void check() {
        if (cancelled) {
            throw LockException.aborted();
        }
    }

    /** Runs {@code listener} when the signal is given, at once if it was. The result takes it off again. */
    public Runnable onCancel(Runnable listener) {
        if (this == NONE) {
            return () -> {};
        }
        synchronized (monitor) {
            if (!cancelled) {
                listeners.add(listener);
                return () -> remove(listener);
            }
        }
        listener.run();
        return () -> {};
    }

    private void remove(Runnable listener) {
        synchronized (monitor) {
            listeners.remove(listener);
        }
    }
}
