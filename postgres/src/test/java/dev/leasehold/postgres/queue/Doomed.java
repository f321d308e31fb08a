package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.queue.QueueWorker.Verb;
import dev.leasehold.testkit.process.ChildJvm;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.postgresql.ds.PGSimpleDataSource;

/** A node in another JVM that is killed when it has said enough, in the middle of whatever it does then. */
final class Doomed {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ChildJvm jvm;
    private final List<KillLine> lines = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> end;

    /** @param sayings how many calls it gets acknowledged in all before it is killed, and two of each verb at least */
    Doomed(PGSimpleDataSource dataSource, String name, int sayings) {
        jvm = QueueWorker.inAnotherJvm(dataSource, name);
        end = CompletableFuture.runAsync(() -> listen(sayings), work -> new Thread(work, "doomed-" + name).start());
    }

    private void listen(int sayings) {
        Map<Verb, Integer> done = new EnumMap<>(Verb.class);
        jvm.lines().map(KillLine::parse).forEach(line -> {
            lines.add(line);
            if (line.state() == KillLine.State.DONE) {
                done.merge(line.verb(), 1, Integer::sum);
            }
            boolean each = done.size() == Verb.values().length
                    && done.values().stream().allMatch(count -> count >= 2);
            if (each && done.values().stream().mapToInt(Integer::intValue).sum() >= sayings) {
                jvm.killNow();
            }
        });
    }

    /** Waits until it is dead. */
    List<KillLine> lastWords() {
        if (!jvm.awaitEnd(PATIENCE)) {
            jvm.close();
            throw new AssertionError("too slow to be killed, it said " + lines.size() + " lines");
        }
        end.join();
        return lines;
    }

    /** 137 is 128 and SIGKILL. */
    boolean wasKilled() {
        return jvm.exitStatus() == 137;
    }

    /** Whether a call in the queue of this verb was under way. */
    boolean diedDuring(Verb verb) {
        Stream<KillLine> its = lines.stream().filter(line -> line.verb() == verb);
        return its.reduce((first, second) -> second)
                .filter(last -> last.state() == KillLine.State.BEGUN)
                .isPresent();
    }
}
