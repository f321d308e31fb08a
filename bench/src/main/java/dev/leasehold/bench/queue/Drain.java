package dev.leasehold.bench.queue;

import dev.leasehold.bench.Recorder;
import dev.leasehold.bench.Trial;
import java.time.Duration;

/** Items that are there already are worked until none is left. */
final class Drain implements Trial {
    private static final int LOADED_TOGETHER = 1000;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final Field field;
    private final Load load;
    private final Ledger ledger;

    Drain(Field field, Load load) {
        this.field = field;
        this.load = load;
        this.ledger = new Ledger(load.payload());
    }

    /** As many as a full run has, or less in proportion. */
    @Override
    public void prepare(Duration duration) throws Exception {
        field.stop();
        double part = (double) duration.toMillis() / field.bench().duration().toMillis();
        int wanted = (int) Math.ceil(field.bench().scaled(load.preload()) * part);
        for (int left = wanted; left > 0; left -= LOADED_TOGETHER) {
            field.node(0).produce(ledger.items(Math.min(left, LOADED_TOGETHER)));
        }
        field.place().vacuum();
    }

    @Override
    public void run(Recorder recorder, Duration duration) throws Exception {
        ledger.begin(recorder);
        field.work(ledger, load.batch());
        ledger.settle(PATIENCE);
    }

    @Override
    public void close() {
        field.close();
    }
}
