package dev.leasehold.bench.queue;

import dev.leasehold.bench.Recorder;
import dev.leasehold.bench.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The books of a trial: every item that was produced must be completed, and once. */
final class Ledger implements Queuer.Hands {
    private final Items items;
    private final BitSet completed = new BitSet();
    private long produced;
    private long done;
    private @Nullable Tally tally;
    private @Nullable Throwable failure;

    Ledger(int payloadBytes) {
        this.items = new Items(payloadBytes);
    }

    /** New items, which are on the books from now on. */
    List<byte[]> items(int count) {
        long first;
        synchronized (this) {
            first = produced;
            produced += count;
        }
        List<byte[]> made = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            made.add(items.item(first + i));
        }
        return made;
    }

    /** Where to write down what is completed from now on, and how long after it was made. */
    synchronized void begin(Recorder recorder) {
        tally = recorder.tally();
    }

    @Override
    public void took(byte[] payload) {}

    @Override
    public synchronized void done(List<byte[]> payloads) {
        long now = System.nanoTime();
        for (byte[] payload : payloads) {
            int number = Math.toIntExact(Items.number(payload));
            if (completed.get(number)) {
                fail(new IllegalStateException("item " + number + " was completed twice"));
            }
            completed.set(number);
            if (tally != null) {
                tally.add(now - Items.madeAt(payload), 1);
            }
        }
        done += payloads.size();
        notifyAll();
    }

    @Override
    public synchronized void fail(Throwable reason) {
        if (failure == null) {
            failure = reason;
        }
        notifyAll();
    }

    /** How many items are produced, or being produced, and not completed. */
    synchronized long open() throws Exception {
        check();
        return produced - done;
    }

    /** Returns when everything that was produced is completed. */
    synchronized void settle(Duration patience) throws Exception {
        long end = System.nanoTime() + patience.toNanos();
        while (done < produced) {
            check();
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new IllegalStateException(
                        "%d of %d items were not completed within %s".formatted(produced - done, produced, patience));
            }
            wait(left);
        }
        check();
    }

    private void check() {
        if (failure != null) {
            throw new IllegalStateException("a worker failed: " + failure, failure);
        }
    }
}
