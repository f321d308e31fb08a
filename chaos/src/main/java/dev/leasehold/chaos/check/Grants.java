package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The grants of one key, as far as their holders know of them. */
final class Grants {
    private final Map<String, List<Call>> acquires = new LinkedHashMap<>();
    private final Map<String, List<Call>> others = new LinkedHashMap<>();
    private final List<Call> forced = new ArrayList<>();

    private Grants() {}

    /** By key. */
    static Map<String, Grants> of(Calls calls) {
        Map<String, Grants> byKey = new LinkedHashMap<>();
        calls.of(
                        Operation.ACQUIRE,
                        Operation.EXTEND,
                        Operation.HELD,
                        Operation.RELEASE,
                        Operation.FORCE_RELEASE,
                        Operation.COMMIT)
                .forEach(call -> byKey.computeIfAbsent(call.subject(), key -> new Grants())
                        .add(call));
        return byKey;
    }

    private void add(Call call) {
        if (call.operation() == Operation.FORCE_RELEASE) {
            forced.add(call);
        } else if (call.operation() != Operation.ACQUIRE) {
            String grant = call.invoke().facts().grant();
            others.computeIfAbsent(String.valueOf(grant), g -> new ArrayList<>())
                    .add(call);
        } else if (call.isOk()) {
            acquires.computeIfAbsent(grant(call), g -> new ArrayList<>()).add(call);
        }
    }

    /** The calls that were granted, by their grant: more than one if a holder acquired again. */
    Map<String, List<Call>> acquires() {
        return acquires;
    }

    /** The first call of each grant. */
    List<Call> firsts() {
        return acquires.values().stream().map(calls -> calls.get(0)).toList();
    }

    List<Holding> holdings() {
        return acquires.entrySet().stream()
                .map(entry -> holding(entry.getKey(), entry.getValue()))
                .toList();
    }

    private Holding holding(String grant, List<Call> acquired) {
        List<Call> later = new ArrayList<>(acquired.subList(1, acquired.size()));
        later.addAll(others.getOrDefault(grant, List.of()));
        forced.stream().filter(call -> mayConcern(call, fence(acquired.get(0)))).forEach(later::add);
        return Holding.of(acquired.get(0), later);
    }

    private static boolean mayConcern(Call force, long fence) {
        Long asked = force.invoke().facts().fence();
        return asked == null || asked == fence;
    }

    private static String grant(Call acquire) {
        return Objects.requireNonNull(end(acquire).facts().grant(), "an acquire that succeeded must tell its grant");
    }

    /** The fence of a call that was granted. */
    static long fence(Call acquire) {
        return Objects.requireNonNull(end(acquire).facts().fence(), "an acquire that succeeded must tell its fence");
    }

    private static Event end(Call acquire) {
        @Nullable Event end = acquire.end();
        return Objects.requireNonNull(end);
    }
}
