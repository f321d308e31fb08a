package dev.leasehold.bench.queue;

import dev.leasehold.bench.Contender;
import dev.leasehold.bench.Trial;
import java.util.function.BiFunction;

/**
 * A system of queues that takes part in whatever needs no more than {@link Queuer}s.
 *
 * @param settings what was chosen for it
 * @param opener opens a node of it
 */
record QueueSystem(String name, String version, String settings, Opener opener) {
    /** Opens a node; the first one at a place makes the tables. */
    @FunctionalInterface
    interface Opener {
        Queuer open(Place place) throws Exception;
    }

    QueueSystem named(String another, String difference) {
        return new QueueSystem(another, version, settings + "; " + difference, opener);
    }

    /** Takes part with a load, which a variant may change. */
    Contender in(Load load, BiFunction<Field, Load, Trial> trial) {
        return Contender.of(name, version, settings, (bench, variant) -> {
            Load its = load.in(variant);
            return trial.apply(Field.open(this, bench, its), its);
        });
    }
}
