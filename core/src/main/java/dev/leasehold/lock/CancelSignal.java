package dev.leasehold.lock;

import java.util.ArrayList;
import java.util.List;

/**
 * Cancels calls that are under way, from any thread.
 *
 * <p>A call with a cancelled signal ends as {@link LockErrorCode#ABORTED}. A grant that races with the cancel is released.
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

    /** Cancels all calls with this signal. Listeners run in this thread, each once. */
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

    /** Whether the signal was given. */
    public boolean isCancelled() {
        return cancelled;
    }

    /** Throws {@link LockErrorCode#ABORTED} if the signal was given. */
    public void check() {
        if (cancelled) {
            throw LockException.aborted();
        }
    }

    /** Runs {@code listener} when the signal is given, at once if it was. Running the result removes the listener. */
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
