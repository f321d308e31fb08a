package dev.leasehold.bench.lock;

import dev.leasehold.bench.Recorder;
import dev.leasehold.bench.Trial;
import dev.leasehold.bench.Variant;
import dev.leasehold.bench.Workers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** L3: one node holds some locks, and every thread of another node tries in vain to get one of them. */
final class LosingTries implements Trial {
    private final LockSystem.Nodes nodes;
    private final LockSystem.Node holder;
    private final LockSystem.Node loser;
    private final Variant variant;
    private final List<Locker.Held> held = new ArrayList<>();

    private LosingTries(LockSystem.Nodes nodes, Variant variant) throws Exception {
        this.nodes = nodes;
        this.holder = nodes.open(2);
        this.loser = nodes.open();
        this.variant = variant;
    }

    /** Opens it with as many locks as the size of the variant says. */
    static Trial open(LockSystem.Nodes nodes, Variant variant) throws Exception {
        LosingTries tries = new LosingTries(nodes, variant);
        for (int i = 0; i < variant.size(); i++) {
            Locker.Held held = tries.holder.locker().acquire(key(i), Duration.ZERO);
            if (held == null) {
                throw new IllegalStateException("nobody else has the lock, and it was refused all the same");
            }
            tries.held.add(held);
        }
        return tries;
    }

    private static String key(int number) {
        return "taken-" + number;
    }

    @Override
    public void run(Recorder recorder, Duration duration) throws InterruptedException {
        List<Workers.Step> steps = new ArrayList<>();
        for (int i = 0; i < variant.concurrency(); i++) {
            String key = key(i % variant.size());
            steps.add(() -> lose(key));
        }
        Workers.run(recorder, duration, steps);
    }

    private long lose(String key) throws Exception {
        if (loser.locker().acquire(key, Duration.ZERO) != null) {
            throw new IllegalStateException("a lock was granted that somebody else has");
        }
        return 1;
    }

    @Override
    public void close() {
        try (nodes;
                holder;
                loser) {
            for (Locker.Held lock : held) {
                lock.release();
            }
        } catch (Exception e) {
            throw new IllegalStateException("the locks could not be given back", e);
        }
    }
}
