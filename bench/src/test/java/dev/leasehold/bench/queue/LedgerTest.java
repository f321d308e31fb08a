package dev.leasehold.bench.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.bench.Recorder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private static final Duration SHORT = Duration.ofMillis(20);

    private final Ledger ledger = new Ledger(100);

    @Test
    void items_are_numbered_and_of_the_size_that_was_asked_for() {
        List<byte[]> items = ledger.items(3);
        assertThat(items).allSatisfy(item -> assertThat(item).hasSize(100));
        assertThat(items).extracting(Items::number).containsExactly(0L, 1L, 2L);
        assertThat(ledger.items(1)).extracting(Items::number).containsExactly(3L);
        assertThat(items).allSatisfy(item -> assertThat(Items.madeAt(item)).isLessThanOrEqualTo(System.nanoTime()));
    }

    @Test
    void it_settles_when_every_item_is_completed() throws Exception {
        List<byte[]> items = ledger.items(5);
        ledger.done(items.subList(0, 2));
        assertThat(ledger.open()).isEqualTo(3);
        ledger.done(items.subList(2, 5));
        ledger.settle(SHORT);
    }

    @Test
    void an_item_that_is_never_completed_is_told() {
        ledger.done(ledger.items(2).subList(0, 1));
        assertThatThrownBy(() -> ledger.settle(SHORT)).hasMessageContaining("1 of 2 items were not completed");
    }

    @Test
    void an_item_that_is_completed_twice_is_told() {
        List<byte[]> items = ledger.items(2);
        ledger.done(items);
        ledger.done(items.subList(0, 1));
        assertThatThrownBy(() -> ledger.settle(SHORT)).hasMessageContaining("item 0 was completed twice");
    }

    @Test
    void a_worker_that_fails_ends_the_waiting() {
        ledger.items(1);
        ledger.fail(new IllegalStateException("no more"));
        assertThatThrownBy(() -> ledger.settle(Duration.ofMinutes(1))).hasMessageContaining("no more");
    }

    @Test
    void what_is_completed_while_it_records_is_recorded() {
        List<byte[]> items = ledger.items(4);
        ledger.done(items.subList(0, 1));
        Recorder recorder = new Recorder();
        ledger.begin(recorder);
        ledger.done(items.subList(1, 4));
        assertThat(recorder.operations()).isEqualTo(3);
        assertThat(recorder.latencies().getTotalCount()).isEqualTo(3);
    }
}
