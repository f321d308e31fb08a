package dev.leasehold.bench.queue;

import dev.leasehold.bench.Recorder;
import dev.leasehold.bench.Trial;
import dev.leasehold.bench.Workers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Threads that produce, each a batch at a time. Nobody works the items. */
final class Produces implements Trial {
    private final Field field;
    private final Load load;
    private final Ledger ledger;

    Produces(Field field, Load load) {
        this.field = field;
        this.load = load;
        this.ledger = new Ledger(load.payload());
    }

    @Override
    public void run(Recorder recorder, Duration duration) throws InterruptedException {
        List<Workers.Step> steps = new ArrayList<>();
        for (int i = 0; i < load.producers(); i++) {
            Queuer node = field.node(i);
            steps.add(() -> {
                node.produce(ledger.items(load.batch()));
                return load.batch();
            });
        }
        Workers.run(recorder, duration, steps);
    }

    @Override
    public void close() {
        field.close();
    }
}
