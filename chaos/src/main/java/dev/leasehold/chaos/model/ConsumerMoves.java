package dev.leasehold.chaos.model;

import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.model.Model.Step;
import dev.leasehold.chaos.model.Model.Told;
import dev.leasehold.chaos.model.QueueState.Consumer;
import dev.leasehold.chaos.model.QueueState.Item;
import dev.leasehold.chaos.model.QueueState.Phase;
import dev.leasehold.chaos.model.QueueState.Place;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one consumer of a {@link QueueModel} can do in a state, or have done to its call. */
final class ConsumerMoves {
    private static final Duration TIMEOUT = Duration.ofNanos(ModelPartition.TIMEOUT * Trace.TICK_NANOS);

    private final ModelPartition partition;
    private final QueueState state;
    private final int number;
    private final Consumer consumer;
    private final List<Step<QueueState>> steps;

    ConsumerMoves(ModelPartition partition, QueueState state, int number, List<Step<QueueState>> steps) {
        this.partition = partition;
        this.state = state;
        this.number = number;
        this.consumer = state.consumers().get(number);
        this.steps = steps;
    }

    void add() {
        switch (consumer.phase()) {
            case IDLE -> sendLease();
            case LEASING -> runLease();
            case LEASED -> hearLeased();
            case NOTHING -> hear("of nothing", state, Kind.OK, Operation.LEASE);
            case HOLDING -> decide();
            case COMPLETING -> runComplete();
            case COMPLETED -> hearCompleted();
            case RETRYING -> runRetry();
            case RETRIED -> hear("of its retry", state, Kind.OK, Operation.RETRY);
            case REFUSED -> hear("that its lease had ended", state, Kind.FAIL, Operation.COMPLETE);
        }
    }

    private void sendLease() {
        if (consumer.left() > 0) {
            Consumer asking = consumer.asks(state.now(), state.lastHeard());
            step("asks for an item", state, asking, told(Kind.INVOKE, Operation.LEASE, Facts.lasts(TIMEOUT)));
        }
    }

    private void runLease() {
        partition.next(state).ifPresentOrElse(this::lease, () -> step("finds nothing", consumer.to(Phase.NOTHING)));
        hear("that its connection is lost", state, Kind.UNKNOWN, Operation.LEASE);
    }

    private void lease(int item) {
        Item leased = partition.leased(state, item);
        step("leases " + QueueModel.payload(item), state.with(item, leased), consumer.leased(item, leased), null);
    }

    private void hearLeased() {
        Item item = state.item(consumer.item());
        boolean isPassedOver = consumer.attempts() == 1 && consumer.item() < consumer.seen();
        QueueState after = state.with(consumer.item(), item.heard(consumer.attempts()))
                .violating(item.leases() != item.attempts(), "AttemptsExact")
                .violating(isPassedOver, "PartitionOrder");
        step(
                "hears of " + QueueModel.payload(consumer.item()),
                after,
                consumer.holds(consumer.sent() + ModelPartition.TIMEOUT),
                told(Kind.OK, Operation.LEASE, item()));
        hear("that its connection is lost", state, Kind.UNKNOWN, Operation.LEASE);
    }

    private void decide() {
        int heard = state.item(consumer.item()).heard();
        step(
                "asks to complete",
                state,
                consumer.settles(Phase.COMPLETING, heard),
                told(Kind.INVOKE, Operation.COMPLETE, item()));
        step(
                "asks to retry",
                state,
                consumer.settles(Phase.RETRYING, heard),
                told(Kind.INVOKE, Operation.RETRY, item()));
        step("forgets", consumer.idle());
    }

    private void runComplete() {
        Item item = state.item(consumer.item());
        if (partition.mayComplete(state, consumer.item(), consumer.id())) {
            QueueState after = state.with(consumer.item(), item.to(Place.GONE));
            step("has completed", after, consumer.to(Phase.COMPLETED), null);
        } else {
            step("is refused", consumer.to(Phase.REFUSED));
        }
    }

    private void hearCompleted() {
        Item item = state.item(consumer.item());
        QueueState after = state.with(consumer.item(), item.completed())
                .violating(consumer.seen() > consumer.attempts(), "SettledUnderLease");
        hear("of its completion", after, Kind.OK, Operation.COMPLETE);
    }

    private void runRetry() {
        if (partition.mayRetry(state, consumer.item(), consumer.id())) {
            step("retries", partition.again(state, consumer.item()), consumer.to(Phase.RETRIED), null);
        } else {
            step("is refused", consumer.to(Phase.REFUSED));
        }
    }

    private void hear(String what, QueueState after, Kind kind, Operation operation) {
        step("hears " + what, after, consumer.idle(), told(kind, operation, Facts.NONE));
    }

    private void step(String words, Consumer next) {
        step(words, state, next, null);
    }

    private void step(String words, QueueState after, Consumer next, @Nullable Told told) {
        List<Told> all = told == null ? List.of() : List.of(told);
        steps.add(new Step<>("consumer " + number + " " + words, after.with(number, next), all));
    }

    private Facts item() {
        ItemFacts item = QueueModel.facts(consumer.item(), consumer.id(), consumer.attempts());
        return Facts.items(List.of(item)).partition(0);
    }

    private Told told(Kind kind, Operation operation, Facts facts) {
        return new Told("consumer" + number, kind, operation, QueueModel.QUEUE, facts);
    }
}
