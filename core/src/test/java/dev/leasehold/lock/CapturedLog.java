package dev.leasehold.lock;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * What is logged while it is open. Other tests of this JVM log meanwhile: look for lines that name something of this test
 * alone.
 */
public final class CapturedLog implements AutoCloseable {
    private static final Set<CapturedLog> OPEN = ConcurrentHashMap.newKeySet();

    static {
        System.setErr(new PrintStream(new Copying(System.err), true, StandardCharsets.UTF_8));
    }

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public CapturedLog() {
        OPEN.add(this);
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

    /** Passes everything on and copies it to every open log. */
    private static final class Copying extends OutputStream {
        private final OutputStream original;

        Copying(OutputStream original) {
            this.original = original;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] some, int from, int count) throws IOException {
            original.write(some, from, count);
            OPEN.forEach(log -> log.bytes.write(some, from, count));
        }

        @Override
        public void flush() throws IOException {
            original.flush();
        }
    }
}
