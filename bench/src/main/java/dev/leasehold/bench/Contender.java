package dev.leasehold.bench;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One system in one scenario: {@code Contender.of("shedlock", "7.10.1", "usingDbTime, 8 connections", ShedLock::open)}.
 *
 * @param name its short name, one word
 * @param version of the system
 * @param settings what was chosen for it, written beside its figures
 * @param takes the variants it can run in
 * @param opener how to set it up
 * @param isCold whether it runs in JVMs of its own, which are started for each run
 * @param absence why it cannot run here; null if it can
 */
public record Contender(
        String name,
        String version,
        String settings,
        Predicate<Variant> takes,
        Opener opener,
        boolean isCold,
        @Nullable String absence) {

    /** The name of the one that all others are compared with. */
    public static final String LEASEHOLD = "leasehold";

    public static Contender of(String name, String version, String settings, Opener opener) {
        return new Contender(name, version, settings, variant -> true, opener, false, null);
    }

    /** One that cannot run here, for the reason that the table then gives. */
    public static Contender absent(String name, String reason) {
        Opener never = (bench, variant) -> {
            throw new IllegalStateException(name + " cannot run here: " + reason);
        };
        return new Contender(name, "", "", variant -> true, never, false, reason);
    }

    /** The same, in some variants alone. */
    public Contender only(Predicate<Variant> variants) {
        return new Contender(name, version, settings, variants, opener, isCold, absence);
    }

    /** The same, in JVMs of its own. */
    public Contender cold() {
        return new Contender(name, version, settings, takes, opener, true, absence);
    }

    /** Sets a system up on a fresh schema. */
    @FunctionalInterface
    public interface Opener {
        Trial open(Bench bench, Variant variant) throws Exception;
    }
}
