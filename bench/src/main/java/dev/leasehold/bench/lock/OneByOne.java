package dev.leasehold.bench.lock;

import dev.leasehold.bench.Recorder;
import dev.leasehold.bench.Tally;
import dev.leasehold.bench.Trial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Renewal with one call for each lock, from one or more threads; each thread has taken what it renews. */
final class OneByOne implements Trial {
    private final LockSystem.Nodes nodes;
    private final LockSystem.Node node;
    private final List<ExecutorService> threads = new ArrayList<>();
    private final List<List<Renewal>> shares = new ArrayList<>();

    private OneByOne(LockSystem.Nodes nodes) throws Exception {
        this.nodes = nodes;
        this.node = nodes.open();
    }

    /** Renews one lock. */
    @FunctionalInterface
    interface Renewal {
        void run() throws Exception;
    }

    /** Takes one lock. */
    @FunctionalInterface
    interface Taking {
        Renewal take(Locker locker, String key) throws Exception;
    }

    static Trial open(LockSystem.Nodes nodes, int count, Taking taking) throws Exception {
        OneByOne all = new OneByOne(nodes);
        for (int thread = 0; thread < count; thread++) {
            all.threads.add(Executors.newSingleThreadExecutor());
            all.shares.add(new ArrayList<>());
        }
        all.inEachThread(share -> {
            for (int i = share; i < Renewals.count(nodes); i += count) {
                all.shares.get(share).add(taking.take(all.node.locker(), Renewals.key(i)));
            }
        });
        return all;
    }

    private interface Work {
        void run(int share) throws Exception;
    }

    private void inEachThread(Work work) throws InterruptedException, ExecutionException {
        List<Future<?>> pending = new ArrayList<>();
        for (int i = 0; i < threads.size(); i++) {
            int share = i;
            Callable<Void> task = () -> {
                work.run(share);
                return null;
            };
            pending.add(threads.get(i).submit(task));
        }
        for (Future<?> future : pending) {
            future.get();
        }
    }

    @Override
    public void run(Recorder recorder, Duration duration) throws InterruptedException, ExecutionException {
        Tally tally = recorder.tally();
        long end = System.nanoTime() + duration.toNanos();
        long now = System.nanoTime();
        while (now - end < 0) {
            inEachThread(share -> {
                for (Renewal renewal : shares.get(share)) {
                    renewal.run();
                }
            });
            long then = System.nanoTime();
            tally.add(then - now, 1);
            now = then;
        }
    }

    @Override
    public void close() {
        threads.forEach(ExecutorService::shutdownNow);
        try (nodes) {
            node.close();
        }
    }
}
