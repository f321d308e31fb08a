package dev.leasehold.lock;

import dev.leasehold.TestWaits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/**
 * What is logged while it is open. Other tests of this JVM log meanwhile: look for lines that name something of this test
 * alone.
 */
public final class CapturedLog implements AutoCloseable {
    private static final Set<CapturedLog> OPEN = ConcurrentHashMap.newKeySet();

    static {
        System.setErr(new PrintStream(new Copying(System.err, OPEN), true, StandardCharsets.UTF_8));
        awaitLogging();
    }

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public CapturedLog() {
        OPEN.add(this);
    }

    /**
     * While another thread initialises SLF4J, what is logged is kept back and written after that. So it waits until a line of its
     * own has come out.
     */
    private static void awaitLogging() {
        try (CapturedLog log = new CapturedLog()) {
            LoggerFactory.getLogger(CapturedLog.class).error("event=logging_initialised");
            long start = System.nanoTime();
            while (log.lines("event=logging_initialised").isEmpty()) {
                if (System.nanoTime() - start > TestWaits.LIMIT.toNanos()) {
                    throw new IllegalStateException("SLF4J does not log");
                }
                Thread.onSpinWait();
            }
        }
    }

    /** The lines that contain all these parts. */
    public List<String> lines(String... parts) {
        return bytes.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> Stream.of(parts).allMatch(line::contains))
                .toList();
    }

    @Override
    public void close() {
        OPEN.remove(this);
    }

    /**
     * Passes everything on and copies it to every open log. It has no need of the class around it, whose initialisation may wait for
     * a thread that writes here.
     */
    private static final class Copying extends OutputStream {
        private final OutputStream original;
        private final Set<CapturedLog> open;

        Copying(OutputStream original, Set<CapturedLog> open) {
            this.original = original;
            this.open = open;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] some, int from, int count) throws IOException {
            original.write(some, from, count);
            open.forEach(log -> log.bytes.write(some, from, count));
        }

        @Override
        public void flush() throws IOException {
            original.flush();
        }
    }
}
