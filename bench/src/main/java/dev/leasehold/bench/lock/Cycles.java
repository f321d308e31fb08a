package dev.leasehold.bench.lock;

import dev.leasehold.bench.Recorder;
import dev.leasehold.bench.Trial;
import dev.leasehold.bench.Variant;
import dev.leasehold.bench.Workers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** L1: every thread takes and gives back its own keys, one after the other, and again from the first. */
final class Cycles implements Trial {
    static final int KEYS_PER_THREAD = 100;

    /** Nobody is in the way; but Spring is refused now and then by a serialization failure, and asks again only if it may wait. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final AtomicInteger TRIALS = new AtomicInteger();

    private final String name = newName();
    private final LockSystem.Nodes nodes;
    private final LockSystem.Node node;
    private final int threads;

    private Cycles(LockSystem.Nodes nodes, LockSystem.Node node, int threads) {
        this.nodes = nodes;
        this.node = node;
        this.threads = threads;
    }

    static Trial open(LockSystem.Nodes nodes, Variant variant) throws Exception {
        return new Cycles(nodes, nodes.open(), variant.concurrency());
    }

    @Override
    public void run(Recorder recorder, Duration duration) throws InterruptedException {
        List<Workers.Step> steps = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            steps.add(step(keysOf(name + "-" + thread)));
        }
        Workers.run(recorder, duration, steps);
    }

    /** A name for the workers of one trial. Advisory locks belong to the whole database, so that trials side by side need other keys. */
    static String newName() {
        return "worker-" + TRIALS.incrementAndGet();
    }

    static List<String> keysOf(String worker) {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < KEYS_PER_THREAD; i++) {
            keys.add(worker + ":key-" + i);
        }
        return keys;
    }

    private Workers.Step step(List<String> keys) {
        int[] next = {0};
        return () -> {
            String key = keys.get(next[0]++ % keys.size());
            Locker.Held held = node.locker().acquire(key, PATIENCE);
            if (held == null) {
                throw new IllegalStateException("nobody else has '" + key + "', and it was refused all the same");
            }
            held.release();
            return 1;
        };
    }

    @Override
    public void close() {
        try (nodes) {
            node.close();
        }
    }
}
