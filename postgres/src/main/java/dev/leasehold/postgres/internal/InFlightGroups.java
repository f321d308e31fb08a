package dev.leasehold.postgres.internal;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The groups that are in flight, by lane. Not thread-safe: guarded by its owner. */
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

    /** Groups whose only call waits for an advisory lock although its caller has gone. */
    void forEachAbandonedWait(BiConsumer<Lane, List<Group<?, ?>>> action) {
        flying.forEach((lane, groups) -> {
            if (groups.stream().anyMatch(Group::isAbandonedWait)) {
                action.accept(lane, groups);
            }
        });
    }
}
