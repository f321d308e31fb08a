package dev.leasehold.chaos.attack;

import dev.leasehold.LeaseholdException;
import dev.leasehold.client.HttpLocks;
import dev.leasehold.client.HttpQueues;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.testkit.process.HarnessException;
import dev.leasehold.testkit.process.Polling;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A client that uses a server as it is meant to be used, with locks and with a queue, and keeps books of what it was told.
 *
 * <p>A call that is refused or fails is repeated until it succeeds, and all tries count as one call: its time is how long somebody
 * with the client library waits to be served.
 */
final class NormalClient implements AutoCloseable {
    static final String QUEUE = "normal";

    /** When a call counts as never served: far longer than any takes, also on a machine that is busy with other things. */
    private static final Duration NEVER = Duration.ofSeconds(90);

    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final Duration TTL = Duration.ofMinutes(5);
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final int BATCH = 10;
    private static final long PAUSE_MILLIS = 20;

    private static final Set<QueueErrorCode> GONE =
            Set.of(QueueErrorCode.INVALID_ARGUMENT, QueueErrorCode.NO_SUCH_ITEM, QueueErrorCode.NOT_LEASED);

    private final URI server;
    private final HttpLocks locks;
    private final HttpQueues queues;
    private final ItemQueue queue;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Ledger ledger = new Ledger();
    private volatile BiConsumer<String, Duration> served = (name, time) -> {};
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong turns = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();
    private final AtomicLong slowest = new AtomicLong();

    NormalClient(URI server) {
        this.server = server;
        this.locks = HttpLocks.builder(server).token(Victim.NORMAL_KEY).build();
        this.queues = HttpQueues.builder(server).token(Victim.NORMAL_KEY).build();
        this.queue = queues.queue(QUEUE);
        queues.create(QueueConfig.named(QUEUE).leaseTimeout(LEASE));
    }

    /** Makes every call that it knows, once. */
    void turn() {
        lockTurn();
        queueTurn();
    }

    /** Acquires a key, extends the lock, looks it up and releases it. */
    void lockTurn() {
        String key = "normal:" + turns.incrementAndGet(); // a lock whose release failed is in nobody's way
        HeldLock lock = call(
                "acquire",
                () -> locks.acquire(
                        AcquireRequest.of(key).ttl(TTL).waitFor(WAIT).withoutRenewal()));
        if (!call("extend", () -> lock.extend(TTL)) || !call("is locked", () -> locks.isLocked(key))) {
            ledger.report("a lock that was granted is gone: fence " + lock.fence());
        }
        call("release", lock::release);
    }

    /** Produces an item, leases what is there and completes it. */
    void queueTurn() {
        call("produce", () -> {
            long number = ledger.producing();
            queue.produce(NewItem.of(Long.toString(number)));
            ledger.produced(number);
            return number;
        });
        complete(
                call("lease", () -> queue.lease(LeaseRequest.of("normal", BATCH).timeout(WAIT))));
    }

    private void complete(LeasedBatch batch) {
        if (batch.isEmpty()) {
            return;
        }
        List<Long> numbers =
                batch.items().stream().map(LeasedItem::text).map(Long::valueOf).toList();
        numbers.forEach(ledger::leased);
        numbers.forEach(ledger::completing);
        boolean isCompleted = call("complete", () -> tryComplete(batch));
        if (isCompleted) {
            numbers.forEach(ledger::completed);
        }
    }

    /** Whether they were completed now. If not, an earlier try did it, or their lease has ended and they come again. */
    private boolean tryComplete(LeasedBatch batch) {
        try {
            queue.complete(batch);
            return true;
        } catch (QueueException e) {
            if (GONE.contains(e.code())) {
                return false;
            }
            throw e;
        }
    }

    /** Repeats a call until it is served; what it took counts as the time of one call. */
    private <T> T call(String name, Supplier<T> call) {
        long start = System.nanoTime();
        while (true) {
            try {
                T result = call.get();
                served.accept(name, Duration.ofNanos(System.nanoTime() - start));
                return result;
            } catch (LeaseholdException e) {
                refusals.incrementAndGet();
                if (System.nanoTime() - start > NEVER.toNanos()) {
                    throw new NotServedException("a normal client was not served for " + NEVER.toSeconds() + " s", e);
                }
                Polling.sleep(PAUSE_MILLIS);
            } finally {
                slowest.accumulateAndGet(System.nanoTime() - start, Math::max);
                calls.incrementAndGet();
            }
        }
    }

    /** Leases and completes what is left in its queue, and reports what was acknowledged and is not there. */
    void drain() {
        long end = System.nanoTime() + LEASE.toNanos() + WAIT.toNanos(); // leases whose reply was lost end by then
        while (ledger.isOwed() && System.nanoTime() < end) {
            complete(call(
                    "lease", () -> queue.lease(LeaseRequest.of("normal", BATCH).timeout(Duration.ofSeconds(1)))));
        }
        ledger.settle();
    }

    /** Tells of every call that was served by its name, and how long it took, all its tries together. */
    void onCall(BiConsumer<String, Duration> served) {
        this.served = served;
    }

    /** What was promised and not kept. */
    List<String> problems() {
        return ledger.problems();
    }

    /** The calls so far, each try counted. */
    long calls() {
        return calls.get();
    }

    /** How many tries were refused or failed. */
    long refusals() {
        return refusals.get();
    }

    /** The longest time in which a call was served since this was asked last. */
    Duration takeSlowest() {
        return Duration.ofNanos(slowest.getAndSet(0));
    }

    /** A number of the metrics page; the sum, if it has several labels. */
    double metric(String name) {
        HttpRequest request = HttpRequest.newBuilder(server.resolve("/metrics"))
                .header("Authorization", "Bearer " + Victim.NORMAL_KEY)
                .timeout(NEVER)
                .build();
        try {
            String page = http.send(request, BodyHandlers.ofString()).body();
            return Pattern.compile("(?m)^" + Pattern.quote(name) + "(?:\\{[^}]*})? (\\S+)$")
                    .matcher(page)
                    .results()
                    .mapToDouble(found -> Double.parseDouble(found.group(1)))
                    .sum();
        } catch (IOException e) {
            throw new NotServedException("the metrics cannot be read", e);
        } catch (InterruptedException e) {
            throw HarnessException.interrupted(e);
        }
    }

    @Override
    public void close() {
        locks.close();
        queues.close();
    }

    /** A normal client was not served: that is what the attacks are after. */
    static final class NotServedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotServedException(String message, Throwable cause) {
            super(message + ": " + cause.getMessage(), cause);
        }
    }
}
