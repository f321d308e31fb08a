package dev.leasehold.lock.internal;

import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockEvent.Reason;
import dev.leasehold.lock.LockEvent.Result;
import dev.leasehold.lock.LockEvent.Type;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.LockListener;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports to the listener, if there is one, and keeps its failures away from the operation. */
public final class LockEvents {
    private static final Logger log = LoggerFactory.getLogger(LockEvents.class);

    private final @Nullable LockListener listener;

    public LockEvents(@Nullable LockListener listener) {
        this.listener = listener;
    }

    public boolean isHeard() {
        return listener != null;
    }

    /** Reports an operation that began at {@code startNanos}; {@code reason} only when it failed. */
    public void tell(
            Type type,
            boolean ok,
            @Nullable LockKey key,
            @Nullable LockId lockId,
            @Nullable Reason reason,
            long startNanos) {
        if (listener == null) {
            return;
        }
        LockEvent event = new LockEvent(
                type,
                ok ? Result.OK : Result.FAIL,
                key == null ? null : key.hash(),
                lockId == null ? null : lockId.hash(),
                ok ? null : reason,
                null,
                null,
                Duration.ofNanos(System.nanoTime() - startNanos));
        try {
            listener.onEvent(mayShowRaw(listener, event) ? withRaw(event, key, lockId) : event);
        } catch (RuntimeException | Error e) {
            log.debug("event=listener_failed type={}", type.text(), e);
        }
    }

    private static boolean mayShowRaw(LockListener listener, LockEvent event) {
        try {
            return listener.includeRaw(event);
        } catch (RuntimeException | Error e) {
            return false;
        }
    }

    private static LockEvent withRaw(LockEvent event, @Nullable LockKey key, @Nullable LockId lockId) {
        return new LockEvent(
                event.type(),
                event.result(),
                event.keyHash(),
                event.lockIdHash(),
                event.reason(),
                key == null ? null : key.value(),
                lockId == null ? null : lockId.value(),
                event.elapsed());
    }
}
