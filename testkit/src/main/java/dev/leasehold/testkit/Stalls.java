package dev.leasehold.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/**
 * Sees whether the machine stands still: whether a thread that only sleeps for a moment and forces a byte to the disk comes
 * late. A test with a short lease can fail because of that, and only because of that is it tried again.
 */
class Stalls implements AutoCloseable {
    private static final long PAUSE_MILLIS = 10;

    /** A turn that is later than this is a stall. */
    private static final long LATE = TimeUnit.MILLISECONDS.toNanos(20);

    /** Stalls of this length together excuse a failure. */
    private static final long ENOUGH = TimeUnit.MILLISECONDS.toNanos(60);

    private volatile boolean closed;
    private long stalled;
    private long turnBegan;

    /** Begins to watch. */
    static Stalls watch() {
        Stalls stalls = new Stalls();
        stalls.start();
        return stalls;
    }

    final void start() {
        turn(); // the first begins now, even if the thread is late
        Thread watcher = new Thread(this::turns, "stall-watcher");
        watcher.setDaemon(true);
        watcher.start();
    }

    /**
     * Whether the machine stood still so long that a short lease may have ended early: all stalls so far together, and the one
     * that lasts. Threads wake in any order after a stall, and the watcher's may be the last.
     */
    synchronized boolean seen() {
        return stalled + lateness() >= ENOUGH;
    }

    private long lateness() {
        long late = System.nanoTime() - turnBegan - TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
        return late > LATE ? late : 0;
    }

    private synchronized void turn() {
        stalled += turnBegan == 0 ? 0 : lateness();
        turnBegan = System.nanoTime();
    }

    private void turns() {
        try (FileChannel file = FileChannel.open(
                Files.createTempFile("leasehold-stalls-", ""),
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE)) {
            while (!closed) {
                pause(file);
                turn();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What a turn takes: not much, on a machine that does not stand still. */
    void pause(FileChannel file) throws IOException, InterruptedException {
        Thread.sleep(PAUSE_MILLIS);
        file.write(ByteBuffer.allocate(1), 0);
        file.force(false);
    }

    /** Ends the watch. */
    @Override
    public final void close() {
        closed = true;
    }
}
