package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Operation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What guarded transactions wrote is there at the end, and nothing else is: read, change and write under a guard lose no update.
 *
 * <p>It is asked of keys that have a {@link Operation#LEFT}. What was written without a guard may be there or not.
 */
final class NoCommitLost implements Invariant {
    @Override
    public List<Violation> check(Calls calls) {
        List<Violation> found = new ArrayList<>();
        Map<String, List<Call>> writes = calls.bySubject(Operation.COMMIT, Operation.WRITE);
        Map<String, Call> left = new LinkedHashMap<>();
        calls.of(Operation.LEFT).filter(Call::isOk).forEach(call -> left.put(call.subject(), call));
        writes.forEach((key, calling) -> {
            Call end = left.get(key);
            if (end != null) {
                checkKept(key, calling, end, found);
                checkWritten(key, calling, end, found);
            }
        });
        return found;
    }

    private void checkKept(String key, List<Call> writes, Call end, List<Violation> found) {
        Set<String> there = payloads(Items.found(end));
        for (Call write : writes) {
            if (write.operation() == Operation.COMMIT && write.isOk()) {
                Set<String> lost = payloads(write.invoke().facts().items());
                lost.removeAll(there);
                if (!lost.isEmpty()) {
                    found.add(violation("key '" + key + "': a guarded commit of " + lost + " was lost", write, end));
                }
            }
        }
    }

    private void checkWritten(String key, List<Call> writes, Call end, List<Violation> found) {
        Set<String> unknown = payloads(Items.found(end));
        writes.stream()
                .filter(Call::maybe)
                .forEach(write ->
                        unknown.removeAll(payloads(write.invoke().facts().items())));
        if (!unknown.isEmpty()) {
            found.add(violation("key '" + key + "': nobody has committed " + unknown + ", but it is there", end));
        }
    }

    private static Set<String> payloads(List<ItemFacts> items) {
        Set<String> payloads = new HashSet<>();
        items.forEach(item -> payloads.add(item.payload()));
        return payloads;
    }
}
