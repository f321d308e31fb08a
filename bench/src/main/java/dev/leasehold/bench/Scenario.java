package dev.leasehold.bench;

import java.util.List;

/**
 * One question to all systems: what each of them does, how often a second, and at what cost.
 *
 * @param name the short name, such as {@code L1}
 * @param title what happens in it
 * @param operation what counts as one operation
 * @param variants the ways to run it
 * @param contenders who takes part; figures are compared with the one named {@link Contender#LEASEHOLD}
 */
public record Scenario(
        Group group, String name, String title, String operation, List<Variant> variants, List<Contender> contenders) {
    public Scenario {
        variants = List.copyOf(variants);
        contenders = List.copyOf(contenders);
        if (variants.isEmpty()) {
            throw new IllegalArgumentException("scenario " + name + " needs at least one variant");
        }
    }
}
