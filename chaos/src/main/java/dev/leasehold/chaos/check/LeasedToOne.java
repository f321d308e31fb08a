package dev.leasehold.chaos.check;

import dev.leasehold.chaos.check.Items.Step;
import dev.leasehold.chaos.check.Items.Story;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * No item is leased to two consumers at once: no two leases of it were {@link Holding in force} at the same moment. And no id is good
 * for two leases: whoever still has it from the first, and repeats a call, would end the second.
 */
final class LeasedToOne implements Invariant {
    @Override
    public List<Violation> check(Calls calls) {
        List<Violation> found = new ArrayList<>();
        for (Story story : calls.items().stories()) {
            List<Holding> holdings = story.leases.stream().map(story::holding).toList();
            Holding.clashes(holdings)
                    .forEach(clash -> found.add(violation(
                            "item " + story.payload + " was leased by "
                                    + clash.second().start().invoke().worker() + " while "
                                    + clash.first().start().invoke().worker() + " had it",
                            clash.excerpt())));
            checkIds(story, found);
        }
        return found;
    }

    private void checkIds(Story story, List<Violation> found) {
        Map<String, Step> first = new HashMap<>();
        for (Step lease : story.leases) {
            String id = lease.item().id();
            Step before = id == null ? null : first.putIfAbsent(lease.queue() + " " + id, lease);
            if (before != null) {
                found.add(violation(
                        "item " + story.payload + " was leased twice under one id", before.call(), lease.call()));
            }
        }
    }
}
