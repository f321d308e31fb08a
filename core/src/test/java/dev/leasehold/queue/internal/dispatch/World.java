package dev.leasehold.queue.internal.dispatch;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.internal.Ksuid;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.spi.ItemStore.Discarded;
import dev.leasehold.queue.spi.ItemStore.Leased;
import dev.leasehold.queue.spi.ItemStore.Outlook;
import dev.leasehold.queue.spi.ItemStore.Swept;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.QueueRecord;
import dev.leasehold.queue.spi.StaleQueueException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A real dispatcher among stores, consumers and other nodes that do everything in every order, within a {@link Scenario}.
 *
 * <p>A call to a store is two steps: it is carried out, and later its reply arrives. An answer to a consumer is a step too, and so is the
 * news of a cancellation, so that they can cross. Steps have names, so that a way to a state can be repeated and read.
 */
final class World implements Command.Actions {
    private final QueueException away = new QueueException(QueueErrorCode.SERVICE_UNAVAILABLE, "away");

    /** Stands for the exception that names the partition which was called. */
    private final QueueException stale = new QueueException(QueueErrorCode.SERVICE_UNAVAILABLE, "stale");

    private static final long HOUR = Duration.ofHours(1).toNanos();

    private final Scenario scenario;
    private final Dispatcher dispatcher;
    private final List<Set<Integer>> ready = new ArrayList<>();
    private final List<Consumer> consumers = new ArrayList<>();
    private final List<Pending> pending = new ArrayList<>();
    private final Map<ItemId, String> leases = new HashMap<>();
    private final Map<String, QueueException> failing = new HashMap<>();
    private final Set<Integer> unsure = new TreeSet<>();
    private final Deque<Command> commands = new ArrayDeque<>();
    private int failuresLeft;
    private int changesLeft;
    private int producesLeft;
    private int foreignLeft;
    private int beatsLeft;
    private int closesLeft;
    private int lastItem;
    private int lastLease;
    private long now;
    private @Nullable String violation;

    World(Scenario scenario, Dispatcher dispatcher) {
        this.scenario = scenario;
        this.dispatcher = dispatcher;
        this.failuresLeft = scenario.failures();
        this.changesLeft = scenario.changes();
        this.producesLeft = scenario.produces();
        this.foreignLeft = scenario.foreign();
        this.beatsLeft = scenario.beats();
        this.closesLeft = scenario.closes();
        scenario.ready().forEach(count -> ready.add(items(count)));
        for (int number = 0; number < scenario.consumers(); number++) {
            consumers.add(new Consumer(number, scenario.batchSize()));
        }
    }

    static Dispatcher dispatcher(Scenario scenario) {
        return new Dispatcher(record(scenario), Duration.ofSeconds(1), most -> 0, 0);
    }

    static QueueRecord record(Scenario scenario) {
        QueueConfig config = QueueConfig.named("q").partitions(scenario.stores().size());
        return new QueueRecord(new QueueInfo(config, Instant.EPOCH, Instant.EPOCH), 1, 1, scenario.stores());
    }

    private Set<Integer> items(int count) {
        Set<Integer> items = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            items.add(lastItem++);
        }
        return items;
    }

    /** A consumer as its caller sees it. */
    private static final class Consumer extends WaitingConsumer {
        private final int number;
        private String state = "idle";
        private boolean timeCanEnd;
        private boolean timeIsOver;

        /** The items that are ready all the time since it asked. */
        private final Set<Integer> couldHave = new TreeSet<>();

        /** The partitions of which the store has said since it asked what is there. */
        private final Set<Integer> heardOf = new TreeSet<>();

        Consumer(int number, int batchSize) {
            super(new LeaseRequest("consumer" + number, batchSize, Duration.ofSeconds(1)));
            this.number = number;
        }

        boolean isWaiting() {
            return state.equals("waiting");
        }
    }

    /** Something that happens sooner or later without anybody's doing. */
    private abstract static class Pending {
        final String name;

        /** What it is about, as far as its name does not say so. */
        final Object about;

        Pending(String name, Object about) {
            this.name = name;
            this.about = about;
        }

        abstract void happen();

        /** A call to a store can fail; null if this is none. */
        @Nullable Runnable failure(QueueException why) {
            return null;
        }

        /** What the call has brought, which gets lost if it fails. */
        void lose() {}
    }

    // Steps

    /** The names of all steps that are possible now. */
    List<String> steps() {
        List<String> steps = new ArrayList<>(urgentSteps());
        for (int i = 0; i < pending.size(); i++) {
            if (failuresLeft > 0 && pending.get(i).failure(away) != null) {
                steps.add("fail " + i + " " + pending.get(i).name);
            }
            if (changesLeft > 0 && pending.get(i).failure(stale) != null) {
                steps.add("stale " + i + " " + pending.get(i).name);
            }
        }
        for (Consumer consumer : consumers) {
            if (consumer.state.equals("idle")) {
                steps.add("join " + consumer.number);
            } else if (consumer.isWaiting()) {
                if (scenario.cancels()) {
                    steps.add("cancel " + consumer.number);
                }
                if (consumer.timeCanEnd && !consumer.timeIsOver) {
                    steps.add("time " + consumer.number);
                }
            }
        }
        if (producesLeft > 0) {
            steps.add("produce");
        }
        for (int partition = 0; partition < ready.size() && foreignLeft > 0; partition++) {
            steps.add("foreign " + partition);
            steps.add("hint " + partition);
        }
        if (beatsLeft > 0) {
            steps.add("beat");
        }
        if (closesLeft > 0) {
            steps.add("close");
        }
        return steps;
    }

    /** The names of the steps that will be taken whatever happens. */
    private List<String> urgentSteps() {
        List<String> steps = new ArrayList<>();
        for (int i = 0; i < pending.size(); i++) {
            steps.add("do " + i + " " + pending.get(i).name);
        }
        return steps;
    }

    void take(String step) {
        String[] words = step.split(" ", -1);
        int number = words.length > 1 ? Integer.parseInt(words[1]) : 0;
        switch (words[0]) {
            case "do" -> pending.remove(number).happen();
            case "fail" -> {
                failuresLeft--;
                fail(number, away);
            }
            case "stale" -> {
                changesLeft--;
                fail(number, stale);
            }
            case "join" -> join(consumers.get(number));
            case "cancel" -> cancel(consumers.get(number));
            case "time" -> timeIsOver(consumers.get(number));
            case "produce" -> {
                producesLeft--;
                produce();
            }
            case "foreign" -> {
                foreignLeft--;
                ready.get(number).addAll(items(1));
            }
            case "hint" -> {
                foreignLeft--;
                ready.get(number).addAll(items(1));
                event(() -> dispatcher.hint(number));
            }
            case "beat" -> {
                beatsLeft--;
                beat();
            }
            case "close" -> {
                closesLeft--;
                event(dispatcher::close);
            }
            default -> throw new IllegalArgumentException(step);
        }
        check();
    }

    private void fail(int number, QueueException why) {
        Pending call = pending.remove(number);
        call.lose();
        Runnable failure = call.failure(why);
        if (failure != null) {
            failure.run();
        }
    }

    private void join(Consumer consumer) {
        consumer.state = "waiting";
        ready.forEach(consumer.couldHave::addAll);
        event(() -> dispatcher.join(consumer));
    }

    private void cancel(Consumer consumer) {
        consumer.state = "cancelled";
        pending.add(new Pending("news-of-cancel", consumer) {
            @Override
            void happen() {
                event(() -> dispatcher.cancelled(consumer));
            }
        });
    }

    private void timeIsOver(Consumer consumer) {
        consumer.timeIsOver = true;
        event(() -> dispatcher.timeIsOver(consumer));
    }

    private void produce() {
        int partition = dispatcher.produceBegins(1);
        ready.get(partition).addAll(items(1));
        event(() -> {
            dispatcher.produceEnded(partition, 1);
            dispatcher.ready(partition, 1);
        });
    }

    private void beat() {
        now += HOUR;
        event(() -> dispatcher.beat(now));
    }

    /** Hands an event to the dispatcher, and runs its commands. */
    private void event(Runnable event) {
        dispatcher.storesFailing(Map.copyOf(failing));
        event.run();
        dispatcher.moveCommandsTo(commands);
        for (Command next = commands.poll(); next != null; next = commands.poll()) {
            next.run(this);
        }
    }

    // Stores

    /** A call that is on its way to a store. */
    private final class Call<T> extends Pending {
        private final String store;
        private final List<PartitionRef> partitions;
        private final java.util.function.Supplier<T> execution;
        private final java.util.function.Consumer<T> then;
        private final java.util.function.Consumer<QueueException> otherwise;

        Call(
                String name,
                Object about,
                List<PartitionRef> partitions,
                java.util.function.Supplier<T> execution,
                java.util.function.Consumer<T> then,
                java.util.function.Consumer<QueueException> otherwise) {
            super(name + numbers(partitions), about);
            this.store = partitions.get(0).store();
            this.partitions = partitions;
            this.execution = execution;
            this.then = then;
            this.otherwise = otherwise;
        }

        @Override
        void happen() {
            T result = execution.get();
            pending.add(new Pending("reply-to-" + name, List.of(about, result)) {
                @Override
                void happen() {
                    failing.remove(store);
                    then.accept(result);
                }

                @Override
                @Nullable Runnable failure(QueueException why) {
                    return why == stale ? null : Call.this.failure(why);
                }

                @Override
                void lose() {
                    if (result instanceof Leased leased) {
                        leased.items().forEach(item -> leases.put(item.id(), "lost"));
                    }
                }
            });
        }

        @Override
        Runnable failure(QueueException why) {
            return () -> {
                if (why != stale) {
                    failing.put(store, why);
                    if (!name.startsWith("giveBack")) {
                        partitions.forEach(ref -> unsure.add(ref.number()));
                    }
                }
                otherwise.accept(why == stale ? new StaleQueueException(partitions.get(0)) : why);
            };
        }
    }

    private static String numbers(List<PartitionRef> partitions) {
        return "@" + partitions.stream().map(PartitionRef::number).toList();
    }

    @Override
    public void lease(LeaseRound round) {
        int partition = round.ref().number();
        boolean isDoubled =
                pending.stream().anyMatch(other -> other.name.contains("lease" + numbers(List.of(round.ref()))));
        violate(isDoubled, "two leases are under way where there is not enough for both");
        violate(round.limit() == 0, "a lease serves nobody");
        Set<Consumer> since = waiting();
        pending.add(new Call<>(
                "lease",
                round,
                List.of(round.ref()),
                () -> take(partition, round.limit()),
                leased -> {
                    heard(since, List.of(round.ref()));
                    event(() -> dispatcher.leaseEnded(round, leased, now));
                },
                failure -> event(() -> dispatcher.leaseFailed(round, failure, now))));
    }

    private Leased take(int partition, int limit) {
        List<LeasedItem> items = new ArrayList<>();
        for (Integer item : List.copyOf(ready.get(partition))) {
            if (items.size() < limit) {
                ready.get(partition).remove(item);
                consumers.forEach(consumer -> consumer.couldHave.remove(item));
                ItemId id = new ItemId(Ksuid.encode(1, partition, ++lastLease));
                leases.put(id, "leased");
                items.add(new LeasedItem(id, 1, Instant.EPOCH, "", "", "", new byte[] {item.byteValue()}));
            }
        }
        return new Leased(items, null, false, false);
    }

    @Override
    public void look(Look look) {
        boolean isDoubled =
                pending.stream().anyMatch(other -> other.name.contains("look" + numbers(look.partitions())));
        violate(isDoubled, "two looks at a store are under way");
        Set<Consumer> since = waiting();
        pending.add(new Call<>(
                "look",
                look,
                look.partitions(),
                () -> look.partitions().stream()
                        .map(ref -> new Outlook(ready.get(ref.number()).size(), null))
                        .toList(),
                outlooks -> {
                    heard(since, look.partitions());
                    event(() -> dispatcher.lookEnded(look, outlooks, 0, now));
                },
                failure -> event(() -> dispatcher.lookFailed(look, failure, now))));
    }

    private Set<Consumer> waiting() {
        Set<Consumer> waiting = new HashSet<>(consumers);
        waiting.removeIf(consumer -> !consumer.isWaiting());
        return waiting;
    }

    private void heard(Set<Consumer> since, List<PartitionRef> partitions) {
        for (PartitionRef ref : partitions) {
            unsure.remove(ref.number());
            since.forEach(consumer -> consumer.heardOf.add(ref.number()));
        }
    }

    @Override
    public void giveBack(PartitionRef partition, List<LeasedItem> items) {
        items.forEach(item -> settle(item, "given back"));
        pending.add(new Call<>(
                "giveBack",
                items,
                List.of(partition),
                () -> {
                    items.forEach(item -> ready.get(partition.number()).add((int) item.payload()[0]));
                    return items.size();
                },
                count -> event(() -> dispatcher.givenBack(partition.number(), count)),
                failure -> event(() -> {})));
    }

    @Override
    public void sweep(PartitionRef partition) {
        event(() -> dispatcher.sweepEnded(partition.number(), new Swept(0, 0, Discarded.NOTHING, null), now));
    }

    @Override
    public void refresh(PartitionRef stale, long question) {
        pending.add(new Call<>(
                "refresh",
                question,
                List.of(stale),
                () -> "read",
                done -> event(() -> dispatcher.refreshEnded(stale, question, null, now)),
                failure -> event(() -> dispatcher.refreshEnded(stale, question, failure, now))));
    }

    @Override
    public void publish(PartitionRef partition) {}

    @Override
    public void listen(Set<String> stores) {}

    @Override
    public void hintLater(int partition, long nanos) {}

    // Consumers

    @Override
    public void startTimeout(WaitingConsumer consumer) {
        ((Consumer) consumer).timeCanEnd = true;
    }

    @Override
    public void answer(WaitingConsumer waiting, LeasedBatch batch) {
        Consumer consumer = (Consumer) waiting;
        violate(batch.items().size() > consumer.request().batchSize(), "a consumer gets more than it asked for");
        batch.items().forEach(item -> settle(item, "dealt"));
        if (batch.isEmpty() && consumer.isWaiting()) {
            checkEmpty(consumer);
        }
        pending.add(new Pending("answer-to-" + consumer.number, batch) {
            @Override
            void happen() {
                if (consumer.isWaiting()) {
                    consumer.state = "answered";
                } else if (!batch.isEmpty()) {
                    batch.items().forEach(item -> leases.put(item.id(), "leased"));
                    event(() -> dispatcher.refused(batch.partition(), batch.items()));
                }
            }
        });
    }

    @Override
    public void fail(WaitingConsumer waiting, QueueException failure) {
        Consumer consumer = (Consumer) waiting;
        boolean isClosed = closesLeft < scenario.closes();
        violate(!isClosed && failuresLeft == scenario.failures(), "a consumer fails although no store did");
        violate(!isClosed && !consumer.timeIsOver, "a consumer fails before its time is over");
        consumer.state = consumer.isWaiting() ? "failed" : consumer.state;
    }

    private void checkEmpty(Consumer consumer) {
        violate(!consumer.timeIsOver, "a consumer is told that there is nothing before its time is over");
        violate(!unsure.isEmpty(), "a consumer is told that there is nothing although a store could not say so");
        violate(
                consumer.heardOf.size() < ready.size(),
                "a consumer is told that there is nothing, and no store was asked");
        violate(
                !consumer.couldHave.isEmpty(),
                "a consumer is told that there is nothing although something was there all the time");
    }

    private void settle(LeasedItem item, String how) {
        String before = leases.put(item.id(), how);
        violate(!"leased".equals(before), "an item is " + how + " that was " + before);
    }

    // Invariants

    private void violate(boolean isViolated, String what) {
        violation = isViolated && violation == null ? what : violation;
    }

    private void check() {
        if (!pending.isEmpty()) {
            return;
        }
        violate(leases.containsValue("leased"), "an item was leased and nobody has it");
        for (Consumer consumer : consumers) {
            if (consumer.isWaiting()) {
                violate(consumer.timeIsOver, "a consumer waits forever although its time is over");
                violate(
                        unsure.isEmpty() && failing.isEmpty() && dispatcher.readyItems() > 0,
                        "a consumer waits although something is known to be ready");
                violate(
                        unsure.isEmpty() && consumer.heardOf.size() < ready.size(),
                        "a consumer waits and no store was asked");
            }
        }
    }

    /** Goes on until nothing is pending, with two beats of the clock, and without more failures: then everybody must be served. */
    @Nullable String violationInTheEnd() {
        for (int beats = 0; beats < 2 && violation == null; beats++) {
            finish();
            beat();
        }
        finish();
        boolean somethingIsReady = ready.stream().anyMatch(items -> !items.isEmpty());
        boolean somebodyWaits = consumers.stream().anyMatch(Consumer::isWaiting);
        violate(somethingIsReady && somebodyWaits, "a consumer waits forever although the store has something");
        return violation;
    }

    private void finish() {
        for (int i = 0; !pending.isEmpty() && violation == null; i++) {
            violate(i > 1000, "it goes on forever");
            take("do 0 first");
        }
    }

    @Nullable String violation() {
        return violation;
    }

    /** Equal in worlds that nobody can tell apart. */
    String fingerprint() {
        StringBuilder text = new StringBuilder();
        for (Consumer consumer : consumers) {
            text.append(consumer.state)
                    .append(consumer.timeIsOver)
                    .append(consumer.couldHave)
                    .append(consumer.heardOf);
        }
        List<Object> all = new ArrayList<>();
        List<Pending> sorted = new ArrayList<>(pending);
        sorted.sort(Comparator.comparing(some -> some.name));
        for (Pending some : sorted) {
            text.append(some.name);
            all.add(some.about);
        }
        long unsettled = leases.values().stream().filter("leased"::equals).count();
        return text.append(ready)
                .append(new TreeSet<>(failing.keySet()))
                .append(unsure)
                .append(failuresLeft)
                .append(changesLeft)
                .append(producesLeft)
                .append(foreignLeft)
                .append(beatsLeft)
                .append(closesLeft)
                .append(unsettled)
                .append(Structure.of(dispatcher, all))
                .toString();
    }
}
