package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.item.Produced;
import dev.leasehold.testkit.QueueFixture;
import dev.leasehold.testkit.SuiteFixture;
import dev.leasehold.testkit.TestClock;
import dev.leasehold.testkit.TestWaits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the contracts share: a node, the clock by which its store decides, and words for the usual steps.
 *
 * <p>Nothing here sleeps. Deadlines are reached by moving the clock, everything else by waiting for a condition.
 */
@Timeout(value = TestWaits.TEST_LIMIT, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(SuiteFixture.class)
public abstract class QueueContract {
    /** The lease timeout of new queues: it ends only if the clock is moved. */
    protected static final Duration LEASE = Duration.ofMinutes(1);

    /** How long anything may take that ought to happen at once. */
    protected static final Duration SOON = TestWaits.LIMIT;

    /** How long somebody waits who is expected to get nothing. */
    protected static final Duration BRIEFLY = Duration.ofMillis(100);

    /** The width of a clock comparison between the test and the store. */
    private static final Duration CLOCK_SLACK = Duration.ofSeconds(2);

    /** An id that is well formed, and never given out. */
    protected static final ItemId UNKNOWN = new ItemId("aWgEPTl1tmebfsQzFP4bxwgy80V");

    private final String unique = UUID.randomUUID().toString().substring(0, 13);
    private final AtomicInteger names = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private QueueFixture fixture;
    private Queues queues;
    private long startNanos;

    @BeforeEach
    final void openFixture(QueueFixture fixture) {
        startNanos = System.nanoTime();
        this.fixture = fixture;
        queues = fixture.node();
    }

    @AfterEach
    final void closeFixture() throws InterruptedException {
        threads.shutdownNow();
        fixture.close();
        assertThat(threads.awaitTermination(SOON.toSeconds(), TimeUnit.SECONDS))
                .as("background work ended")
                .isTrue();
    }

    protected final QueueFixture fixture() {
        return fixture;
    }

    /** The node of this test. */
    protected final Queues queues() {
        return queues;
    }

    /** Another node on the same queues. */
    protected final Queues anotherNode() {
        return fixture.node();
    }

    /** Another node that never looks by itself: what it does it was told of, or knew. */
    protected final Queues wokenNode() {
        return fixture.node(QueueOptions.DEFAULT.lookInterval(Duration.ofHours(1)));
    }

    /** Lets the one look pass that each woken node takes at a queue when it gets to know it. */
    protected final void awaitFirstLook(ItemQueue... queues) {
        for (ItemQueue queue : queues) {
            assertThat(queue.admin().stats().queue()).isEqualTo(queue.name());
        }
        Instant firstLookIsOver = now().plusMillis(150);
        await(() -> now().isAfter(firstLookIsOver));
    }

    protected final TestClock clock() {
        return fixture.clock();
    }

    protected final Instant now() {
        return Instant.ofEpochMilli(clock().getAsLong());
    }

    /** Moves the clock past a deadline that is so far away. */
    protected final void outlive(Duration time) {
        clock().advance(time.plusSeconds(1));
    }

    /** A name that only this test uses; later ones sort behind earlier ones. */
    protected final String unique(String name) {
        return String.format("%s-%s-%03d", name, unique, names.incrementAndGet());
    }

    /** A new queue of one partition. */
    protected final ItemQueue newQueue() {
        return newQueue(config -> config);
    }

    protected final ItemQueue newQueue(UnaryOperator<QueueConfig> settings) {
        QueueConfig config = QueueConfig.named(unique("queue")).leaseTimeout(LEASE);
        return queues.queue(queues.create(settings.apply(config)).name());
    }

    /** Changes some settings of a queue, and leaves the others as they are. */
    protected final QueueInfo update(ItemQueue queue, UnaryOperator<QueueConfig> change) {
        QueueConfig current = queues.info(queue.name()).config();
        return queues.update(QueueUpdate.to(change.apply(current)));
    }

    protected static Produced produce(ItemQueue queue, String... texts) {
        return queue.produce(
                ProduceRequest.of(Arrays.stream(texts).map(NewItem::of).toList()));
    }

    /** Produces {@code count} items together, with the texts of {@link #texts(int)}. */
    protected static Produced produce(ItemQueue queue, int count) {
        return produce(queue, texts(count).toArray(String[]::new));
    }

    /** Texts that sort as they were produced: 0000, 0001 and so on. */
    protected static List<String> texts(int count) {
        return IntStream.range(0, count).mapToObj(i -> String.format("%04d", i)).toList();
    }

    /** Leases what ought to be there, under a client id of its own. */
    protected final LeasedBatch lease(ItemQueue queue, int batchSize) {
        LeasedBatch batch = queue.lease(request(batchSize).timeout(SOON));
        assertThat(batch.items()).as("leased items").isNotEmpty();
        return batch;
    }

    /** Leases the one item that ought to be there. */
    protected final LeasedItem leaseOne(ItemQueue queue) {
        return lease(queue, 1).items().get(0);
    }

    /** Leases the one item that ought to be there, and lets the lease end. */
    protected final LeasedItem lapse(ItemQueue queue) {
        LeasedItem item = leaseOne(queue);
        outlive(Duration.between(now(), item.leaseDeadline()));
        return item;
    }

    /** Asserts that there is nothing to lease. */
    protected final void assertNothingToLease(ItemQueue queue) {
        assertThat(queue.lease(request(10).timeout(BRIEFLY)).items()).isEmpty();
    }

    /** A lease request under a client id of its own, which waits longer than any test. */
    protected final LeaseRequest request(int batchSize) {
        return LeaseRequest.of(unique("client"), batchSize);
    }

    /** Has a lease request wait at a queue where nothing is ready; returns when it stands there, or was served already. */
    protected final CompletableFuture<LeasedBatch> park(ItemQueue queue, int batchSize) {
        int before = fixture.waitingAt(queue);
        CompletableFuture<LeasedBatch> waiting = queue.leaseAsync(request(batchSize));
        await(() -> waiting.isDone() || fixture.waitingAt(queue) == before + 1);
        return waiting;
    }

    /** Waits until so many lease requests wait at the queue on its node. */
    protected final void awaitWaiting(ItemQueue queue, int count) {
        await(() -> fixture.waitingAt(queue) == count);
    }

    /** What is ready or leased in the first partition. */
    protected static List<StoredItem> stored(ItemQueue queue) {
        return stored(queue, 0);
    }

    protected static List<StoredItem> stored(ItemQueue queue, int partition) {
        return queue.admin().list(ItemListing.of(partition));
    }

    /** What is scheduled in the first partition. */
    protected static List<StoredItem> scheduled(ItemQueue queue) {
        return queue.admin().listScheduled(ItemListing.of(0));
    }

    /** The one item that is ready or leased in the first partition. */
    protected static StoredItem onlyStored(ItemQueue queue) {
        List<StoredItem> items = stored(queue);
        assertThat(items).hasSize(1);
        return items.get(0);
    }

    /** Waits until the only item of the first partition is ready, and returns it. */
    protected static StoredItem awaitReady(ItemQueue queue) {
        await(() -> stored(queue).stream().filter(item -> !item.isLeased()).count() == 1);
        return onlyStored(queue);
    }

    /** Waits until nothing is ready or leased in the first partition. */
    protected static void awaitEmpty(ItemQueue queue) {
        await(() -> stored(queue).isEmpty());
    }

    protected static String text(StoredItem item) {
        return new String(item.payload(), StandardCharsets.UTF_8);
    }

    protected static List<String> texts(List<StoredItem> items) {
        return items.stream().map(QueueContract::text).toList();
    }

    protected static List<String> texts(LeasedBatch batch) {
        return batch.items().stream().map(LeasedItem::text).toList();
    }

    /** The id of an item that lies in a store. */
    protected static ItemId id(StoredItem item) {
        return Optional.ofNullable(item.id()).orElseThrow();
    }

    /** What is said of an id that names no item. */
    protected static String doesNotExist(ItemId id) {
        return "invalid storage id; '" + id + "' does not exist";
    }

    /** Waits until something is so that ought to be so soon. */
    protected static void await(Callable<Boolean> condition) {
        TestWaits.await().until(condition);
    }

    /** Runs work in a thread of its own, ended with the test. */
    protected final <T> CompletableFuture<T> inBackground(Callable<T> work) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return work.call();
                    } catch (RuntimeException e) {
                        throw e;
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                },
                threads);
    }

    /** The result of something that ought to be there soon; its own failure if it failed. */
    protected static <T> T soon(CompletableFuture<T> future) {
        return inTime(SOON, future);
    }

    protected static <T> T inTime(Duration time, CompletableFuture<T> future) {
        try {
            return future.copy()
                    .orTimeout(time.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof TimeoutException) {
                throw new AssertionError("not done within " + time, e);
            }
            throw e.getCause() instanceof RuntimeException known ? known : e;
        }
    }

    /** How far two readings of a clock in this test may be apart: no further than the test has taken until now. */
    protected final Duration clockSlack() {
        return CLOCK_SLACK.plusNanos(System.nanoTime() - startNanos);
    }

    /** Asserts that two readings of the store's clock are as good as the same. */
    protected final void assertNear(@Nullable Instant actual, Instant expected) {
        assertThat(actual).isBetween(expected.minus(clockSlack()), expected.plus(clockSlack()));
    }

    /** Asserts that {@code call} fails as a queue operation with this code. */
    protected static QueueException assertFails(QueueErrorCode code, ThrowingCallable call) {
        QueueException error = catchThrowableOfType(QueueException.class, call);
        assertThat(error).as("a QueueException").isNotNull();
        assertThat(error.code()).as(error.getMessage()).isEqualTo(code);
        return error;
    }

    /** Asserts that {@code call} fails with this code and exactly this message. */
    protected static void assertFails(QueueErrorCode code, String message, ThrowingCallable call) {
        assertThat(assertFails(code, call)).hasMessage(message);
    }
}
