package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.queue.QueueWorker.Verb;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.postgresql.ds.PGSimpleDataSource;

/** A node in another JVM that is killed when it has said enough, in the middle of whatever it does then. */
final class Doomed {
    private final Process process;
    private final List<KillLine> lines = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> end;

    /** @param sayings how many calls it gets acknowledged in all before it is killed, and two of each verb at least */
    Doomed(PGSimpleDataSource dataSource, String name, int sayings) throws IOException {
        process = QueueWorker.inAnotherJvm(dataSource, name);
        end = CompletableFuture.runAsync(() -> listen(sayings), work -> new Thread(work, "doomed-" + name).start());
    }

    private void listen(int sayings) {
        Map<Verb, Integer> done = new EnumMap<>(Verb.class);
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                KillLine line = KillLine.parse(text);
                lines.add(line);
                if (line.state() == KillLine.State.DONE) {
                    done.merge(line.verb(), 1, Integer::sum);
                }
                boolean each = done.size() == Verb.values().length
                        && done.values().stream().allMatch(count -> count >= 2);
                if (each && done.values().stream().mapToInt(Integer::intValue).sum() >= sayings) {
                    process.toHandle()
                            .destroyForcibly(); // the other way would close the stream, and its last words be lost
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until it is dead. */
    List<KillLine> lastWords() throws InterruptedException {
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("too slow to be killed, it said " + lines.size() + " lines");
        }
        end.join();
        return lines;
    }

    /** 137 is 128 and SIGKILL. */
    boolean wasKilled() {
        return process.exitValue() == 137;
    }

    /** Whether a call in the queue of this verb was under way. */
    boolean diedDuring(Verb verb) {
        Stream<KillLine> its = lines.stream().filter(line -> line.verb() == verb);
        return its.reduce((first, second) -> second)
                .filter(last -> last.state() == KillLine.State.BEGUN)
                .isPresent();
    }
}
