package dev.leasehold.bench.queue;

import dev.leasehold.bench.Recorder;
import dev.leasehold.bench.Tally;
import dev.leasehold.bench.Trial;
import java.time.Duration;
import java.util.List;

/** Items are scheduled for a little later, one after the other: how long after its time somebody has each in hand. */
final class DueItems implements Trial {
    private static final Duration DELAY = Duration.ofMillis(300);
    private static final int PAUSE_MS = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Field field;
    private final Ledger ledger;
    private volatile Tally tally = new Recorder().tally();
    private boolean working;

    DueItems(Field field, Load load) {
        this.field = field;
        this.ledger = new Ledger(load.payload());
    }

    @Override
    public void prepare(Duration duration) throws Exception {
        if (!working) {
            working = true;
            field.work(new Arrivals(), 1);
        }
    }

    @Override
    public void run(Recorder recorder, Duration duration) throws Exception {
        tally = recorder.tally();
        long end = System.nanoTime() + duration.toNanos();
        do {
            field.node(0).produceLater(ledger.items(1), DELAY);
            Thread.sleep(PAUSE_MS);
        } while (System.nanoTime() - end < 0);
        ledger.settle(PATIENCE);
    }

    @Override
    public void close() {
        field.close();
    }

    private final class Arrivals implements Queuer.Hands {
        /** The delay counts from when the item was made, a little before the call that schedules it. */
        @Override
        public void took(byte[] payload) {
            long late = System.nanoTime() - Items.madeAt(payload) - DELAY.toNanos();
            synchronized (ledger) {
                tally.add(late, 1);
            }
        }

        @Override
        public void done(List<byte[]> payloads) {
            ledger.done(payloads);
        }

        @Override
        public void fail(Throwable reason) {
            ledger.fail(reason);
        }
    }
}
