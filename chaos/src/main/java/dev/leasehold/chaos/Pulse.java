package dev.leasehold.chaos;

import dev.leasehold.testkit.process.HarnessException;
import dev.leasehold.testkit.process.Polling;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** How many calls succeed per second just now, read from the journals while they are written. */
final class Pulse {
    private static final String OK = "\"kind\":\"OK\"";
    private static final Duration WINDOW = Duration.ofSeconds(1);

    private final Path directory;
    private final Map<Path, Long> read = new HashMap<>();
    private final Set<Path> heard = new HashSet<>();

    Pulse(Path directory) {
        this.directory = directory;
    }

    /** The calls that succeed within that time from now. */
    double rate(Duration window) {
        count();
        long start = System.nanoTime();
        Polling.sleep(window.toMillis());
        long calls = count();
        return calls * 1e9 / (System.nanoTime() - start);
    }

    /**
     * How long it took until calls of that many clients have succeeded, and a second had at least that rate; nothing if it took longer
     * than {@code atMost}.
     */
    Optional<Duration> recover(int clients, double wanted, Duration atMost) {
        count();
        heard.clear();
        long start = System.nanoTime();
        while (true) {
            Duration taken = Duration.ofNanos(System.nanoTime() - start);
            if (rate(WINDOW) >= wanted && heard.size() >= clients) {
                return Optional.of(taken);
            }
            if (taken.compareTo(atMost) > 0) {
                return Optional.empty();
            }
        }
    }

    /** The calls that have succeeded since it was asked last. */
    private long count() {
        long calls = 0;
        try (DirectoryStream<Path> journals = Files.newDirectoryStream(directory, "*.jsonl")) {
            for (Path journal : journals) {
                long more = count(journal);
                calls += more;
                if (more > 0) {
                    heard.add(journal);
                }
            }
        } catch (IOException e) {
            throw new HarnessException("could not read the journals in " + directory, e);
        }
        return calls;
    }

    private long count(Path journal) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(journal.toFile(), "r")) {
            long from = read.getOrDefault(journal, 0L);
            byte[] more = new byte[(int) (file.length() - from)];
            file.seek(from);
            file.readFully(more);
            String text = new String(more, StandardCharsets.ISO_8859_1);
            int whole = text.lastIndexOf('\n') + 1;
            read.put(journal, from + whole);
            return occurrences(text.substring(0, whole));
        }
    }

    private static long occurrences(String text) {
        long found = 0;
        for (int at = text.indexOf(OK); at >= 0; at = text.indexOf(OK, at + 1)) {
            found++;
        }
        return found;
    }
}
