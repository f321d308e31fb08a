package dev.leasehold.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sees whether the machine stands still: whether a thread that only sleeps for a moment and forces a byte to the disk comes
 * late. A test with a short lease can fail because of that, and only because of that is it tried again.
 */
final class Stalls implements AutoCloseable {
    private static final long PAUSE_MILLIS = 10;

    /** A turn that is later than this is a stall. */
    private static final long LATE = TimeUnit.MILLISECONDS.toNanos(20);

    /** Stalls of this length together excuse a failure. */
    private static final long ENOUGH = TimeUnit.MILLISECONDS.toNanos(60);

    private final Thread watcher = new Thread(this::turn, "stall-watcher");
    private volatile boolean closed;
    private final AtomicLong stalled = new AtomicLong();

    private Stalls() {
        watcher.setDaemon(true);
        watcher.start();
    }

    static Stalls watch() {
        return new Stalls();
    }

    /** Whether the machine stood still so long, all stalls so far together, that a short lease may have ended early. */
    boolean seen() {
        return stalled.get() >= ENOUGH;
    }

    private void turn() {
        try (FileChannel file = FileChannel.open(
                Files.createTempFile("leasehold-stalls-", ""),
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE)) {
            long last = System.nanoTime();
            while (!closed) {
                Thread.sleep(PAUSE_MILLIS);
                file.write(ByteBuffer.allocate(1), 0);
                file.force(false);
                long now = System.nanoTime();
                count(now - last);
                last = now;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void count(long turn) {
        long late = turn - TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
        if (late > LATE) {
            stalled.addAndGet(late);
        }
    }

    /** Ends the watch. */
    @Override
    public void close() {
        closed = true;
    }
}
