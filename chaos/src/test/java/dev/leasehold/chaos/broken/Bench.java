package dev.leasehold.chaos.broken;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.check.Checker;
import dev.leasehold.chaos.check.Violation;
import dev.leasehold.chaos.history.History;
import dev.leasehold.chaos.history.Journal;
import dev.leasehold.chaos.history.Recorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs workers side by side, round after round, and has the checker look at what they recorded. */
final class Bench {
    private static final Duration LIMIT = Duration.ofSeconds(50);

    private final Journal journal = Journal.inMemory();
    private final List<Worker> workers = new ArrayList<>();
    private final List<Random> randoms = new ArrayList<>();
    private final List<Runnable> afterwards = new ArrayList<>();
    private final Checker checker;

    Bench(Checker checker) {
        this.checker = checker;
    }

    /** Somebody who does one thing after the other until time is up. */
    interface Worker {
        void once(Random random) throws Exception;
    }

    Recorder recorder(String node) {
        return new Recorder(journal, node);
    }

    void add(Worker worker) {
        workers.add(worker);
        randoms.add(new Random(workers.size()));
    }

    /** Adds what is to be done when the workers have stopped. */
    void afterwards(Runnable last) {
        afterwards.add(last);
    }

    /** The violations of a run of that long. */
    List<Violation> run(Duration duration) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(workers.size());
        try {
            long end = System.nanoTime() + duration.toNanos();
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < workers.size(); i++) {
                Worker worker = workers.get(i);
                Random random = randoms.get(i);
                running.add(threads.submit(() -> repeat(worker, random, end)));
            }
            for (Future<?> one : running) {
                one.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        afterwards.forEach(Runnable::run);
        return checker.violations(history());
    }

    private static Void repeat(Worker worker, Random random, long end) throws Exception {
        while (System.nanoTime() - end < 0) {
            worker.once(random);
        }
        return null;
    }

    History history() {
        return journal.history();
    }

    /** Runs until the checker has found a violation of this invariant. */
    void findsWithinAMinute(String invariant, Breakage breakage) throws Exception {
        findsWithinAMinute(invariant, "", breakage);
    }

    /** Runs until the checker has found a violation of this invariant that says so. */
    void findsWithinAMinute(String invariant, String words, Breakage breakage) throws Exception {
        long end = System.nanoTime() + LIMIT.toNanos();
        List<Violation> found = List.of();
        while (found.isEmpty() && System.nanoTime() - end < 0) {
            found = run(Duration.ofSeconds(1)).stream()
                    .filter(violation -> violation.invariant().equals(invariant)
                            && violation.sentence().contains(words))
                    .toList();
        }
        assertThat(breakage.times()).as("statements that were changed").isPositive();
        assertThat(found)
                .as("violations of " + invariant + " with '" + words + "'")
                .isNotEmpty();
    }
}
