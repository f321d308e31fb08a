package dev.leasehold.postgres.internal;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The groups that lanes carry, by lane. Not thread-safe: whoever has it guards it. */
final class InFlightGroups {
    private final Map<Lane, List<Group<?, ?>>> flying = new HashMap<>();

    void begin(Lane lane, List<Group<?, ?>> groups) {
        flying.put(lane, groups);
    }

    void end(Lane lane) {
        flying.remove(lane);
    }

    boolean isAnyInFlight(Collection<Lane> lanes) {
        return lanes.stream().anyMatch(flying::containsKey);
    }

    void forEachCall(Consumer<PendingCall<?, ?>> action) {
        flying.values().forEach(groups -> groups.forEach(group -> group.calls().forEach(action)));
    }

    /** Those whose only call waits for its turn, although nobody waits for its answer any more. */
    void forEachAbandonedWait(BiConsumer<Lane, List<Group<?, ?>>> action) {
        flying.forEach((lane, groups) -> {
            if (groups.stream().anyMatch(Group::isAbandonedWait)) {
                action.accept(lane, groups);
            }
        });
    }
}
