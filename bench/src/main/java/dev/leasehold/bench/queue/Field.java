package dev.leasehold.bench.queue;

import dev.leasehold.bench.Bench;
import java.util.ArrayList;
import java.util.List;

/** The nodes of one system, open at one place. */
final class Field implements AutoCloseable {
    private final Bench bench;
    private final Place place;
    private final List<Queuer> nodes = new ArrayList<>();

    private Field(Bench bench, Place place) {
        this.bench = bench;
        this.place = place;
    }

    static Field open(QueueSystem system, Bench bench, Load load) throws Exception {
        Field field = new Field(bench, new Place(bench.database(), load.partitions()));
        try {
            for (int i = 0; i < load.nodes(); i++) {
                field.nodes.add(system.opener().open(field.place));
            }
            return field;
        } catch (Exception e) {
            field.close();
            throw e;
        }
    }

    Bench bench() {
        return bench;
    }

    Place place() {
        return place;
    }

    Queuer node(int number) {
        return nodes.get(number % nodes.size());
    }

    Queuer last() {
        return nodes.get(nodes.size() - 1);
    }

    /** Puts the nodes to work. */
    void work(Queuer.Hands hands, int batch) throws Exception {
        for (Queuer node : nodes) {
            node.work(hands, batch);
        }
    }

    void stop() {
        nodes.forEach(Queuer::stop);
    }

    @Override
    public void close() {
        try (place) {
            stop();
            nodes.forEach(Queuer::close);
        }
    }
}
