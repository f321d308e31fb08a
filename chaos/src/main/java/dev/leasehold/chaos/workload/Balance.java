package dev.leasehold.chaos.workload;

import dev.leasehold.chaos.check.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Orders, receipts and the ledger agree to the last row. */
final class Balance {
    private Balance() {}

    /**
     * @param open the orders that are still in their queue
     * @param receipts all receipts: nobody takes them out
     */
    static List<Violation> check(Set<String> open, Set<String> receipts, List<String> ledger) {
        List<Violation> found = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        tell(ledger.stream().filter(entry -> !seen.add(entry)), "were entered into the ledger twice", found);
        tell(
                open.stream().filter(order -> seen.contains(Orders.entry(order))),
                "are done, and still to be done",
                found);
        Set<String> entered = new HashSet<>();
        seen.forEach(entry -> entered.add(Orders.receiptOf(entry)));
        tell(without(entered, receipts), "are receipts that are missing", found);
        tell(without(receipts, entered), "are receipts of what is not in the ledger", found);
        return found;
    }

    private static Stream<String> without(Set<String> some, Set<String> others) {
        return some.stream().filter(one -> !others.contains(one));
    }

    private static void tell(Stream<String> which, String what, List<Violation> found) {
        List<String> wrong = which.sorted().toList();
        if (!wrong.isEmpty()) {
            found.add(new Violation("Balance", wrong + " " + what, List.of()));
        }
    }
}
