package dev.leasehold.chaos.check;

import dev.leasehold.chaos.check.Items.Story;
import java.util.ArrayList;
import java.util.List;

/** No item is leased to two consumers at once: no two leases of it were {@link Holding in force} at the same moment. */
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
        }
        return found;
    }
}
