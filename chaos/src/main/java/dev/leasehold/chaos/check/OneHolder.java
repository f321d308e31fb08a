package dev.leasehold.chaos.check;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** At any time a key has at most one holder: no two of its grants were {@link Holding in force} at the same moment. */
final class OneHolder implements Invariant {
    @Override
    public List<Violation> check(Calls calls) {
        return Grants.of(calls).entrySet().stream().flatMap(this::check).toList();
    }

    private Stream<Violation> check(Map.Entry<String, Grants> key) {
        return Holding.clashes(key.getValue().holdings())
                .map(clash -> violation(
                        "key '" + key.getKey() + "' had two holders at once: fence "
                                + Grants.fence(clash.first().start()) + " was in force, and fence "
                                + Grants.fence(clash.second().start()) + " was granted",
                        clash.excerpt()));
    }
}
