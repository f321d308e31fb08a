package dev.leasehold.queue.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.internal.dispatch.Exploration.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The dispatcher in every state that it can get into, in small worlds; and dispatchers that are broken on purpose. */
class DispatcherTest {
    private static final int LIMIT = 1_000_000;
    private static final Scenario ONE_PARTITION = Scenario.of(List.of("s"), List.of(1), 2);
    private static final Scenario TWO_PARTITIONS = Scenario.of(List.of("s", "s"), List.of(1, 1), 2);
    private static final Scenario TWO_STORES = Scenario.of(List.of("s", "t"), List.of(1, 0), 2);

    static Stream<Scenario> scenarios() {
        return Stream.of(
                ONE_PARTITION.withCancels(),
                ONE_PARTITION.produces(1).foreign(1),
                ONE_PARTITION.failures(2),
                ONE_PARTITION.changes(1).foreign(1),
                ONE_PARTITION.failures(1).changes(1),
                ONE_PARTITION.withCancels().withClose(),
                TWO_PARTITIONS.withCancels(),
                TWO_PARTITIONS.produces(1).beats(1),
                TWO_PARTITIONS.foreign(1).beats(1),
                TWO_PARTITIONS.batchSize(2).withCancels(),
                TWO_PARTITIONS.changes(1),
                TWO_STORES.failures(1).beats(1),
                TWO_STORES.failures(1).withCancels());
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void no_state_violates_anything(Scenario scenario) {
        Outcome outcome = Exploration.explore(() -> world(scenario, World::dispatcher), LIMIT);
        assertThat(outcome.violation()).isEmpty();
        assertThat(outcome.states()).isGreaterThan(100);
    }

    private static World world(Scenario scenario, Function<Scenario, Dispatcher> dispatcher) {
        return new World(scenario, dispatcher.apply(scenario));
    }

    private static void isFound(Scenario scenario, String violation, Function<Scenario, Dispatcher> broken) {
        assertThat(Exploration.explore(() -> world(scenario, broken), LIMIT).violation())
                .hasValueSatisfying(way -> assertThat(way).startsWith(violation));
    }

    private static Dispatcher dispatcher(Scenario scenario, ConsumerLine line, Questions questions) {
        PartitionTable partitions = new PartitionTable(World.record(scenario));
        Poller poller = new Poller(partitions, questions, Duration.ofSeconds(1), most -> 0, 0);
        return new Dispatcher(partitions, line, questions, poller);
    }

    @Test
    void it_is_found_if_the_answers_of_stores_are_not_awaited() {
        Questions never = new Questions() {
            @Override
            boolean isOpenUpTo(long question) {
                return false;
            }
        };
        isFound(ONE_PARTITION, "", scenario -> dispatcher(scenario, new ConsumerLine(), never));
    }

    @Test
    void it_is_found_if_those_who_got_nothing_do_not_return_to_the_line() {
        isFound(
                ONE_PARTITION.produces(1),
                "a consumer waits",
                scenario -> dispatcher(scenario, new Forgetful(), new Questions()));
    }

    private static final class Forgetful extends ConsumerLine {
        @Override
        void putBack(List<WaitingConsumer> taken) {
            taken.forEach(consumer -> consumer.leasing = false);
        }
    }
}
