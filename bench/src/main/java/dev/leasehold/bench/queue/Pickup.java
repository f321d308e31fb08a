package dev.leasehold.bench.queue;

import dev.leasehold.bench.Recorder;
import dev.leasehold.bench.Tally;
import dev.leasehold.bench.Trial;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One item at a time into an idle queue: how long from the call that produces it until somebody has it in hand. */
final class Pickup implements Trial {
    private static final int SHORTEST_PAUSE_MS = 20;
    private static final int LONGEST_PAUSE_MS = 40;
    private static final long PATIENCE_SECONDS = 60;

    /** A queue that is idle does not get its code compiled within seconds; it has been running for days, or is meant to look so. */
    private static final Duration WARM_UP = Duration.ofSeconds(6);

    private final Field field;
    private final BlockingQueue<Long> arrivals = new LinkedBlockingQueue<>();
    private final Ledger ledger;
    private final Random random = new Random(7);
    private boolean working;

    Pickup(Field field, Load load) {
        this.field = field;
        this.ledger = new Ledger(load.payload());
    }

    /** The last node works: with one it is the one that produces, with two it is the other. It is warmed up without pauses. */
    @Override
    public void prepare(Duration duration) throws Exception {
        if (!working) {
            working = true;
            field.last().work(new Arrivals(), 1);
            long end = System.nanoTime() + (field.bench().isShort() ? duration : WARM_UP).toNanos();
            do {
                pickUp();
            } while (System.nanoTime() - end < 0);
        }
    }

    @Override
    public void run(Recorder recorder, Duration duration) throws Exception {
        Tally tally = recorder.tally();
        long end = System.nanoTime() + duration.toNanos();
        do {
            Thread.sleep(random.nextInt(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS));
            tally.add(pickUp(), 1);
        } while (System.nanoTime() - end < 0);
        ledger.settle(Duration.ofSeconds(PATIENCE_SECONDS));
    }

    private long pickUp() throws Exception {
        List<byte[]> item = ledger.items(1);
        long began = System.nanoTime();
        field.node(0).produce(item);
        Long arrived = arrivals.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (arrived == null) {
            throw new IllegalStateException("an item did not arrive within " + PATIENCE_SECONDS + " s");
        }
        return arrived - began;
    }

    @Override
    public void close() {
        field.close();
    }

    private final class Arrivals implements Queuer.Hands {
        @Override
        public void took(byte[] payload) {
            arrivals.add(System.nanoTime());
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
