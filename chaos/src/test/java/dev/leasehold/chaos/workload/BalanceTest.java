package dev.leasehold.chaos.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BalanceTest {
    @Test
    void an_order_is_open_or_it_has_one_entry_and_one_receipt() {
        assertThat(Balance.check(Set.of("a"), Set.of("b/receipt"), List.of("b/entry")))
                .isEmpty();
    }

    @Test
    void an_entry_without_a_receipt_is_found() {
        assertThat(wrong(Set.of(), Set.of(), List.of("a/entry")))
                .isEqualTo("[a/receipt] are receipts that are missing");
    }

    @Test
    void a_receipt_without_an_entry_is_found() {
        assertThat(wrong(Set.of(), Set.of("a/receipt"), List.of()))
                .isEqualTo("[a/receipt] are receipts of what is not in the ledger");
    }

    @Test
    void an_entry_that_is_there_twice_is_found() {
        assertThat(wrong(Set.of(), Set.of("a/receipt"), List.of("a/entry", "a/entry")))
                .isEqualTo("[a/entry] were entered into the ledger twice");
    }

    @Test
    void an_order_that_is_done_and_still_open_is_found() {
        assertThat(wrong(Set.of("a"), Set.of("a/receipt"), List.of("a/entry")))
                .isEqualTo("[a] are done, and still to be done");
    }

    private static String wrong(Set<String> open, Set<String> receipts, List<String> ledger) {
        return Balance.check(open, receipts, ledger).get(0).sentence();
    }
}
