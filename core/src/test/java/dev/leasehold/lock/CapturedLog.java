package dev.leasehold.lock;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What is logged while it is open. */
public final class CapturedLog implements AutoCloseable {
    private final PrintStream original = System.err;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public CapturedLog() {
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    public List<String> lines(String containing) {
        return bytes.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains(containing))
                .toList();
    }

    @Override
    public void close() {
        System.setErr(original);
    }
}
