package dev.leasehold.bench;

/** Decides which systems are measured in which variants. */
@FunctionalInterface
interface Choice {
    boolean includes(Scenario scenario, Variant variant, Contender contender);

    default Choice and(Choice other) {
        return (scenario, variant, contender) ->
                includes(scenario, variant, contender) && other.includes(scenario, variant, contender);
    }
}
