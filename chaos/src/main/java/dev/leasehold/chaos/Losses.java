package dev.leasehold.chaos;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.History;
import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What became of updates that nothing protected.
 *
 * @param written acknowledged updates without a guard
 * @param lost those of them that are not there at the end
 */
record Losses(long written, long lost) {
    static Losses of(History history) {
        Map<String, Event> invoked = new HashMap<>();
        Set<String> written = new HashSet<>();
        Set<String> left = new HashSet<>();
        for (Event event : history.events()) {
            String call = event.node() + " " + event.call();
            if (event.operation() == Operation.WRITE && event.kind() == Kind.INVOKE) {
                invoked.put(call, event);
            } else if (event.operation() == Operation.WRITE && event.kind() == Kind.OK) {
                collect(invoked.getOrDefault(call, event), written);
            } else if (event.operation() == Operation.LEFT && event.kind() == Kind.OK) {
                collect(event, left);
            }
        }
        long all = written.size();
        written.removeAll(left);
        return new Losses(all, written.size());
    }

    private static void collect(Event event, Set<String> payloads) {
        event.facts().items().stream().map(ItemFacts::payload).forEach(payloads::add);
    }
}
