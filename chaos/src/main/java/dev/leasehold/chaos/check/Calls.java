package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.History;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The calls of a history, in the order of their invocations. */
final class Calls {
    private final List<Call> all;
    private @Nullable Items items;
    private @Nullable Administration administration;

    private Calls(List<Call> all) {
        this.all = all;
    }

    List<Call> all() {
        return all;
    }

    /** What happened to the items. */
    Items items() {
        Items known = items;
        if (known == null) {
            known = Items.of(all);
            items = known;
        }
        return known;
    }

    /** What happened to the queues. */
    Administration administration() {
        Administration known = administration;
        if (known == null) {
            known = Administration.of(all);
            administration = known;
        }
        return known;
    }

    static Calls of(History history) {
        Map<Id, Event> ends = new HashMap<>();
        List<Event> invokes = new ArrayList<>();
        for (Event event : history.events()) {
            if (event.kind() == Kind.INVOKE) {
                invokes.add(event);
            } else {
                ends.put(Id.of(event), event);
            }
        }
        return new Calls(invokes.stream()
                .map(invoke -> new Call(invoke, ends.get(Id.of(invoke))))
                .toList());
    }

    /** Those of some operations. */
    Stream<Call> of(Operation first, Operation... more) {
        Set<Operation> wanted = EnumSet.of(first, more);
        return all.stream().filter(call -> wanted.contains(call.operation()));
    }

    /** Those of some operations, by their subject. */
    Map<String, List<Call>> bySubject(Operation... operations) {
        Set<Operation> wanted = EnumSet.copyOf(Arrays.asList(operations));
        return all.stream()
                .filter(call -> wanted.contains(call.operation()))
                .collect(Collectors.groupingBy(Call::subject, LinkedHashMap::new, Collectors.toList()));
    }

    private record Id(String node, long call) {
        static Id of(Event event) {
            return new Id(event.node(), event.call());
        }
    }
}
