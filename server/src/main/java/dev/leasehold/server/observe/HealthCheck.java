package dev.leasehold.server.observe;

import dev.leasehold.lock.LockId;
import dev.leasehold.lock.Locks;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.QueueListing;
import dev.leasehold.queue.spi.LeaseQueues;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether locks and queues work: a cheap call to each goes all the way to its tables, and fails if they cannot be written, as on a
 * standby. Nothing is written: a release of an unknown lock id, and a delete of no record.
 *
 * <p>The calls are made at most once a second; in between the last result is returned. No result within five seconds is a failure.
 */
public final class HealthCheck {
    private static final Logger log = LoggerFactory.getLogger(HealthCheck.class);
    private static final long PROBE_SECONDS = 5;
    private static final long KEEP_NANOS = Duration.ofSeconds(1).toNanos();
    /** A lock id that no grant has. */
    private static final String UNKNOWN_LOCK_ID = LockId.generate().value();

    private static final QueueListing ONE_QUEUE = new QueueListing("", "", 1);

    private final Locks locks;
    private final Queues queues;
    private @Nullable CompletableFuture<State> last;
    private long lastNanos;
    private @Nullable State lastTold;
    private volatile boolean isStopping;
    private volatile Supplier<Optional<String>> trouble = Optional::empty;

    public HealthCheck(Locks locks, Queues queues) {
        this.locks = locks;
        this.queues = queues;
    }

    /** Sets what explains a failure of the storage. */
    public void explainStorage(Supplier<Optional<String>> explanation) {
        this.trouble = explanation;
    }

    /** Why the storage has failed, as far as known. */
    String storageTrouble() {
        return trouble.get().orElse("storage check failed");
    }

    /** From now on the server is stopping. */
    public void stopping() {
        isStopping = true;
    }

    /** The state now. Never fails. */
    public synchronized CompletableFuture<State> check() {
        if (isStopping) {
            return CompletableFuture.completedFuture(new State(false, false, Instant.now()));
        }
        if (last == null || (last.isDone() && System.nanoTime() - lastNanos >= KEEP_NANOS)) {
            lastNanos = System.nanoTime();
            last = probe();
        }
        return last;
    }

    private CompletableFuture<State> probe() {
        CompletableFuture<Boolean> locksAnswer = ask(() -> locks.async().release(UNKNOWN_LOCK_ID));
        CompletableFuture<Boolean> queuesAnswer = ask(this::askQueues);
        return locksAnswer
                .thenCombine(queuesAnswer, (l, q) -> new State(l, q, Instant.now()))
                .thenApply(this::tellChange);
    }

    private CompletableFuture<?> askQueues() {
        CompletableFuture<?> read = queues.listAsync(ONE_QUEUE);
        return queues instanceof LeaseQueues here ? read.thenCompose(page -> here.checkWritableAsync()) : read;
    }

    private static CompletableFuture<Boolean> ask(Supplier<? extends CompletableFuture<?>> question) {
        try {
            return question.get()
                    .thenApply(answer -> true)
                    .orTimeout(PROBE_SECONDS, TimeUnit.SECONDS)
                    .exceptionally(HealthCheck::failed);
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(failed(e));
        }
    }

    private static boolean failed(Throwable failure) {
        log.debug("event=health_probe_failed", failure);
        return false;
    }

    private synchronized State tellChange(State now) {
        State before = lastTold;
        lastTold = now;
        if (before == null ? !now.isUp() : before.isUp() != now.isUp()) {
            log.warn("event=health_changed up={} locks={} queues={}", now.isUp(), now.locks(), now.queues());
        }
        return now;
    }

    /**
     * The result of a check.
     *
     * @param locks whether locks work
     * @param queues whether queues work
     */
    public record State(boolean locks, boolean queues, Instant at) {
        public boolean isUp() {
            return locks && queues;
        }
    }
}
