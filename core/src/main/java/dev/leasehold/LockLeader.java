package dev.leasehold;

import dev.leasehold.Leasehold.LeaderTask;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.Locks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leader election by a lock: one thread waits for it, and leads while it has it. */
final class LockLeader implements Leader, Runnable {
    private static final Logger log = LoggerFactory.getLogger(LockLeader.class);
    private static final Duration WAIT = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Locks locks;
    private final AcquireRequest request;
    private final LeaderTask task;
    private final CancelSignal closing = new CancelSignal();
    private final Thread thread;
    private volatile @Nullable HeldLock held;
    private boolean isLeading;
    private boolean isFailing;

    private LockLeader(Locks locks, AcquireRequest request, LeaderTask task) {
        this.locks = locks;
        this.request = request.waitFor(WAIT).signal(closing);
        this.task = task;
        this.thread = new Thread(this, "leasehold-leader");
    }

    static Leader start(Locks locks, AcquireRequest request, LeaderTask task) {
        LockLeader leader = new LockLeader(locks, request, task);
        leader.thread.setDaemon(true);
        leader.thread.start();
        return leader;
    }

    @Override
    public void run() {
        while (!closing.isCancelled()) {
            try (HeldLock lock = locks.tryAcquire(request).orElse(null)) {
                isFailing = false;
                if (lock != null) {
                    lead(lock);
                }
            } catch (LockException e) {
                failed(e);
                pause();
            }
        }
    }

    /** Says once that the store cannot be asked, until it can. */
    private void failed(LockException e) {
        if (!isFailing && !closing.isCancelled()) {
            log.warn("event=election_failed keyHash={} code={}", request.key().hash(), e.code());
        }
        isFailing = true;
    }

    private void lead(HeldLock lock) {
        begin(lock);
        try {
            task.lead(lock);
        } catch (Exception | Error e) {
            if (lock.isHeld() && !closing.isCancelled()) {
                log.warn("event=leader_failed keyHash={}", lock.key().hash(), e);
            }
        } finally {
            end();
        }
        pause();
    }

    private synchronized void begin(HeldLock lock) {
        held = lock;
        isLeading = true;
        lock.onLost(() -> interruptUnlessOver(lock));
    }

    /** An interrupt that was meant for the task ends with it. */
    private synchronized void end() {
        isLeading = false;
        held = null;
        var unused = Thread.interrupted();
    }

    private synchronized void interruptUnlessOver(HeldLock lost) {
        if (isLeading && held == lost) {
            thread.interrupt();
        }
    }

    private void pause() {
        try {
            if (!closing.isCancelled()) {
                Thread.sleep(PAUSE.toMillis());
            }
        } catch (InterruptedException e) {
            log.trace("event=pause_interrupted", e); // it is being closed, and looks at that next
        }
    }

    @Override
    public boolean isLeader() {
        HeldLock lock = held;
        return lock != null && lock.isHeld();
    }

    @Override
    public void close() {
        closing.cancel();
        synchronized (this) {
            thread.interrupt();
        }
        if (Thread.currentThread() == thread) {
            return;
        }
        boolean wasInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                wasInterrupted = true;
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
