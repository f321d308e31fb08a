package dev.leasehold.cli.queue;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.admin.QueueLimits;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/** Produces the lines of an input in batches, and tells from time to time how far it has come. */
final class LineProducer {
    /** A batch must fit into a request. */
    private static final int BATCH_BYTES = 1_000_000;

    private static final long TELL_EVERY = TimeUnit.SECONDS.toNanos(2);

    private final Consumer<List<NewItem>> produce;
    private final Consumer<String> notes;
    private final List<NewItem> batch = new ArrayList<>();
    private int batchBytes;
    private long count;
    private long bytes;
    private long lastTold = System.nanoTime();

    LineProducer(Consumer<List<NewItem>> produce, Consumer<String> notes) {
        this.produce = produce;
        this.notes = notes;
    }

    /** Reads to the end; the last line needs no line feed. */
    void produce(InputStream input, Function<byte[], NewItem> item) throws IOException {
        InputStream in = new BufferedInputStream(input);
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next == '\n') {
                add(item.apply(line.toByteArray()));
                line.reset();
            } else {
                line.write(next);
            }
        }
        if (line.size() > 0) {
            add(item.apply(line.toByteArray()));
        }
        flush();
    }

    private void add(NewItem item) {
        int size = item.payload().length;
        if (batch.size() == QueueLimits.MAX_BATCH || (batchBytes + size > BATCH_BYTES && !batch.isEmpty())) {
            flush();
        }
        batch.add(item);
        batchBytes += size;
    }

    private void flush() {
        if (batch.isEmpty()) {
            return;
        }
        produce.accept(List.copyOf(batch));
        count += batch.size();
        bytes += batchBytes;
        batch.clear();
        batchBytes = 0;
        if (System.nanoTime() - lastTold > TELL_EVERY) {
            lastTold = System.nanoTime();
            notes.accept("produced " + count + " items so far");
        }
    }

    long count() {
        return count;
    }

    long bytes() {
        return bytes;
    }
}
