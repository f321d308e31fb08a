package dev.leasehold.bench.queue;

import dev.leasehold.bench.Variant;
import java.util.function.BiFunction;

/**
 * What a system is put under. Immutable; start from {@link #DEFAULT}.
 *
 * @param producers how many produce at once
 * @param batch how many items are produced, and leased, together
 * @param payload bytes of an item
 * @param partitions of the queue
 * @param nodes how many nodes of the system take part, each with its own connections
 * @param preload items to put in before a full run of a drain
 * @param later scheduled items that lie there all the while, in a full run
 * @param snapshot whether somebody else holds a snapshot all the while
 * @param change what a variant does to it
 */
record Load(
        int producers,
        int batch,
        int payload,
        int partitions,
        int nodes,
        int preload,
        int later,
        boolean snapshot,
        BiFunction<Load, Variant, Load> change) {
    static final Load DEFAULT = new Load(4, 100, 100, 1, 1, 0, 0, false, (load, variant) -> load);

    Load in(Variant variant) {
        return change.apply(this, variant);
    }

    Load producers(int producers) {
        return new Load(producers, batch, payload, partitions, nodes, preload, later, snapshot, change);
    }

    Load batch(int batch) {
        return new Load(producers, batch, payload, partitions, nodes, preload, later, snapshot, change);
    }

    Load payload(int payload) {
        return new Load(producers, batch, payload, partitions, nodes, preload, later, snapshot, change);
    }

    Load partitions(int partitions) {
        return new Load(producers, batch, payload, partitions, nodes, preload, later, snapshot, change);
    }

    Load nodes(int nodes) {
        return new Load(producers, batch, payload, partitions, nodes, preload, later, snapshot, change);
    }

    Load preload(int preload) {
        return new Load(producers, batch, payload, partitions, nodes, preload, later, snapshot, change);
    }

    Load later(int later) {
        return new Load(producers, batch, payload, partitions, nodes, preload, later, snapshot, change);
    }

    Load heldSnapshot() {
        return new Load(producers, batch, payload, partitions, nodes, preload, later, true, change);
    }

    Load varied(BiFunction<Load, Variant, Load> change) {
        return new Load(producers, batch, payload, partitions, nodes, preload, later, snapshot, change);
    }
}
