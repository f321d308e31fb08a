package dev.leasehold.bench.lock;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.bench.Bench;
import dev.leasehold.bench.Recorder;
import dev.leasehold.bench.Tally;
import dev.leasehold.bench.Trial;
import dev.leasehold.bench.Variant;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.postgres.lock.PostgresLocks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Leasehold's own renewal, as it beats every third of a ttl; told by its listener. A beat lasts from when the first renewal is sent
 * until the last is answered. Rates are reckoned with the time that beats take, not with the time between them.
 */
final class LeaseholdBeats implements Trial {
    /** Short, so that there are many beats in a run, and the first ones are over when it begins. */
    private static final Duration TTL = Duration.ofMillis(900);

    private final LockSystem.Nodes nodes;
    private final HikariDataSource pool;
    private final PostgresLocks locks;
    private final List<HeldLock> held = new ArrayList<>();
    private final BlockingQueue<Long> beats = new LinkedBlockingQueue<>();
    private final int count;
    private int renewed;
    private long longest;

    private LeaseholdBeats(LockSystem.Nodes nodes) {
        this.nodes = nodes;
        this.count = Renewals.count(nodes);
        this.pool = nodes.pool(Bench.CONNECTIONS);
        this.locks = PostgresLocks.builder(pool)
                .options(options -> options.ttl(TTL).listener(this::hear))
                .build();
    }

    static Trial open(LockSystem.Nodes nodes, Variant variant) {
        LeaseholdBeats beats = new LeaseholdBeats(nodes);
        for (int i = 0; i < beats.count; i++) {
            beats.held.add(beats.locks.acquire(AcquireRequest.of(Renewals.key(i))));
        }
        return beats;
    }

    private synchronized void hear(LockEvent event) {
        if (event.type() != LockEvent.Type.EXTEND) {
            return;
        }
        renewed++;
        longest = Math.max(longest, event.elapsed().toNanos());
        if (renewed == count) {
            beats.add(longest);
            renewed = 0;
            longest = 0;
        }
    }

    /** While the locks were taken one by one, those that came first were renewed alone. */
    @Override
    public void prepare(Duration duration) throws InterruptedException {
        Thread.sleep(TTL.dividedBy(3).toMillis());
        synchronized (this) {
            renewed = 0;
            longest = 0;
        }
        beats.clear();
    }

    /** Waits for one beat even if they are further apart than the run is long. */
    @Override
    public void run(Recorder recorder, Duration duration) throws InterruptedException {
        Tally tally = recorder.tally();
        long end = System.nanoTime() + duration.toNanos();
        long busy = 0;
        do {
            Long beat = beats.poll(TTL.toMillis() * 2, TimeUnit.MILLISECONDS);
            if (beat == null) {
                throw new IllegalStateException("no beat came in two ttls");
            }
            tally.add(beat, 1);
            busy += beat;
        } while (System.nanoTime() - end < 0);
        recorder.busy(busy);
    }

    @Override
    public void close() {
        try (nodes;
                pool) {
            held.forEach(HeldLock::release);
            locks.close();
        }
    }
}
