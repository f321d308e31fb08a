package dev.leasehold.chaos.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a hostile run must not let pass. */
class VerdictTest {
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private static List<Sample> samples(long slowestMillis, long refusals, IntToLongFunction heapMegabytes) {
        return IntStream.range(0, 9)
                .mapToObj(i -> new Sample(
                        Duration.ofMinutes(i),
                        100,
                        refusals,
                        Duration.ofMillis(slowestMillis),
                        new Vitals(heapMegabytes.applyAsLong(i) << 20, 300L << 20, 100, 30, Set.of())))
                .toList();
    }

    @Test
    void a_server_that_serves_everybody_with_flat_memory_is_good() {
        assertThat(Verdict.of(samples(2_000, 99, i -> 50 + i), LIMIT)).isEmpty();
    }

    @Test
    void a_call_that_took_longer_than_the_limit() {
        assertThat(Verdict.of(samples(2_001, 0, i -> 50), LIMIT)).contains("a call of the normal client took 2001 ms");
    }

    @Test
    void a_client_that_was_always_refused() {
        assertThat(Verdict.of(samples(10, 100, i -> 50), LIMIT)).contains("no call of the normal client was served");
    }

    @Test
    void memory_that_grows() {
        assertThat(Verdict.of(samples(10, 0, i -> 50 + 20L * i), LIMIT))
                .containsExactly("the heap grew from 130 MB to 190 MB");
    }

    @Test
    void items_that_were_acknowledged_and_are_not_there() {
        Ledger ledger = new Ledger();
        ledger.produced(ledger.producing());
        long second = ledger.producing();
        ledger.produced(second);
        ledger.leased(second);
        ledger.completing(second);
        ledger.completed(second);
        ledger.settle();
        assertThat(ledger.problems()).containsExactly("1 acknowledged items are lost: [1]");
    }

    @Test
    void items_that_come_back_or_come_from_nowhere() {
        Ledger ledger = new Ledger();
        long number = ledger.producing();
        ledger.produced(number);
        ledger.completing(number);
        ledger.completed(number);
        ledger.leased(number);
        ledger.leased(7);
        ledger.settle();
        assertThat(ledger.problems())
                .containsExactly(
                        "item 1 was leased, although its completion was acknowledged",
                        "item 7 was leased, and nobody has produced it");
    }
}
