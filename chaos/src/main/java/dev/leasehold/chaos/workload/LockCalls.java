package dev.leasehold.chaos.workload;

import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.Locks;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/** The verbs of locks, each call recorded. A failure is a value here: the work goes on. */
final class LockCalls {
    private final Recorder recorder;
    private final String worker;
    private final boolean impatient;

    LockCalls(Recorder recorder, String worker) {
        this(recorder, worker, false);
    }

    /** @param impatient whether calls have less time than an engine may need */
    LockCalls(Recorder recorder, String worker, boolean impatient) {
        this.recorder = recorder;
        this.worker = worker;
        this.impatient = impatient;
    }

    /** Acquires if the wait suffices and the store lets us. */
    Optional<HeldLock> acquire(Locks locks, AcquireRequest request) {
        return answered(invokeAcquire(request), () -> locks.tryAcquire(request), LockCalls::grant);
    }

    /** Acquires, and changes its mind after a while unless the answer is there: a grant that crosses must be given back. */
    Optional<HeldLock> acquireOrCancel(Locks locks, AcquireRequest request, int patienceMillis) {
        Recorder.Call call = invokeAcquire(request);
        CompletableFuture<Optional<HeldLock>> asked = locks.async().tryAcquire(request);
        Worker.pause(patienceMillis);
        if (asked.cancel(true)) {
            call.cancelled();
            return Optional.empty();
        }
        return answered(call, asked::join, LockCalls::grant);
    }

    private Recorder.Call invokeAcquire(AcquireRequest request) {
        Duration ttl = Objects.requireNonNull(request.ttl(), "a workload names the ttl of its locks");
        Facts asked = request.renew() ? Facts.lasts(ttl).renewing() : Facts.lasts(ttl);
        return invoke(Operation.ACQUIRE, request.key(), asked);
    }

    /** What was granted, with its facts in the record; nothing if others have it, or if nobody knows. */
    static <T> Optional<T> answered(Recorder.Call call, Supplier<Optional<T>> answer, Function<T, Facts> facts) {
        try {
            Optional<T> granted = answer.get();
            granted.ifPresentOrElse(grant -> call.ok(facts.apply(grant)), () -> call.fail("locked"));
            return granted;
        } catch (LockException e) {
            end(call, e);
        } catch (CompletionException e) {
            end(call, cause(e));
        }
        return Optional.empty();
    }

    /** What was done to a grant, or found gone. */
    static void ended(Recorder.Call call, BooleanSupplier done) {
        try {
            if (done.getAsBoolean()) {
                call.ok();
            } else {
                call.fail("gone");
            }
        } catch (LockException e) {
            end(call, e);
        } catch (CompletionException e) {
            end(call, cause(e));
        }
    }

    private static LockException cause(CompletionException e) {
        if (e.getCause() instanceof LockException why) {
            return why;
        }
        throw e;
    }

    /** Whether the handle says that it is held. */
    boolean isHeld(HeldLock lock) {
        Recorder.Call call = invoke(Operation.HELD, lock, grant(lock));
        boolean held = lock.isHeld();
        if (held) {
            call.ok();
        } else {
            call.fail("not held");
        }
        return held;
    }

    void extend(HeldLock lock, Duration ttl) {
        Recorder.Call call = invoke(Operation.EXTEND, lock, grant(lock).lasting(ttl));
        ended(call, () -> lock.extend(ttl));
    }

    void release(HeldLock lock) {
        Recorder.Call call = invoke(Operation.RELEASE, lock, grant(lock));
        ended(call, lock::release);
    }

    /** A write that belongs to the lock, up to its commit. */
    Recorder.Call invoke(Operation operation, HeldLock lock, Facts facts) {
        return invoke(operation, lock.key(), facts);
    }

    private Recorder.Call invoke(Operation operation, LockKey key, Facts facts) {
        return recorder.invoke(worker, operation, key.value(), impatient ? facts.noting(Facts.IMPATIENT) : facts);
    }

    static Facts grant(HeldLock lock) {
        return Facts.grant(lock.lockId(), lock.fence());
    }

    /** Only what was refused before anything was sent has certainly not happened. */
    private static void end(Recorder.Call call, LockException e) {
        if (e.code() == LockErrorCode.ACQUISITION_TIMEOUT || e.code() == LockErrorCode.INVALID_ARGUMENT) {
            call.fail(e.code().text());
        } else {
            call.unknown(e.code().text() + ": " + e.getMessage());
        }
    }
}
