package dev.leasehold.chaos.attack;

import dev.leasehold.chaos.attack.NormalClient.NotServedException;
import dev.leasehold.testkit.process.HarnessException;
import dev.leasehold.testkit.process.Polling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Mixed hostile traffic beside a normal client: crowds of connections, fuzzed requests and huge calls, all at once.
 *
 * <p>The normal client has a thread for locks and one for its queue. In the end all attackers stop, and the server must be as it was
 * before them.
 */
final class HostileRun {
    private static final Duration HELD = Duration.ofSeconds(4);
    private static final Duration FUZZ_PATIENCE = Duration.ofSeconds(2);
    private static final Duration END = Duration.ofMinutes(3);
    private static final long FUZZ_PAUSE_MILLIS = 5;
    private static final long DRIP_MILLIS = 500;
    private static final int SMALL_ITEMS = 20_000;
    private static final int LARGE_ITEMS = 12;
    private static final int LARGE_BYTES = 3_600_000;

    private final Victim victim;
    private final HostileClient attacker;
    private final int connections;
    private final long seed;
    private final List<Thread> threads = new ArrayList<>();
    private final List<String> broken = new CopyOnWriteArrayList<>();
    private final List<Sample> samples = new ArrayList<>();
    private final Map<String, String> attacks = new ConcurrentSkipListMap<>();
    private final AtomicLong crowds = new AtomicLong();
    private final AtomicLong fuzzed = new AtomicLong();
    private final AtomicLong huge = new AtomicLong();
    private volatile boolean isAttacked = true;
    private volatile boolean isOver;

    /** A run against a server, with that many connections in each of two crowds. */
    HostileRun(Victim victim, int connections, long seed) {
        this.victim = victim;
        this.attacker = new HostileClient(victim.uri());
        this.connections = connections;
        this.seed = seed;
    }

    /**
     * Attacks for that long, and tells how it goes after every interval.
     *
     * @param limit how long a call of the normal client may take
     * @return the promises that were broken
     */
    List<String> run(Duration time, Duration interval, Duration limit, Consumer<String> out) {
        attacker.create(HostileClient.IDLE_QUEUE, ", \"requested_partitions\": 1");
        long start = System.nanoTime();
        victim.client().onCall((name, taken) -> {
            if (taken.compareTo(limit) > 0) {
                long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
                out.accept("slow: %s took %d ms until second %d, beside %s"
                        .formatted(name, taken.toMillis(), seconds, attacks));
            }
        });
        out.accept(Sample.HEADING);
        start();
        while (System.nanoTime() - start < time.toNanos() && victim.isAlive() && broken.isEmpty()) {
            watch(start, interval, out);
        }
        end();
        out.accept("%d crowds of %d connections, %d fuzzed requests, %d huge calls"
                .formatted(crowds.get(), connections, fuzzed.get(), huge.get()));
        return verdict(limit);
    }

    private void start() {
        NormalClient client = victim.client();
        client.takeSlowest(); // what came before the attacks does not count
        normal("locks", client::lockTurn);
        normal("queue", client::queueTurn);
        hostile("crowds-1", new Random(seed), this::crowd);
        hostile("crowds-2", new Random(seed + 1), this::crowd);
        Fuzz withKey = new Fuzz(seed + 2);
        hostile("fuzz-key", new Random(), random -> fuzz(withKey, true));
        Fuzz withoutKey = new Fuzz(seed + 3);
        hostile("fuzz-open", new Random(), random -> fuzz(withoutKey, false));
        hostile("huge", new Random(), random -> hugeCalls());
        threads.forEach(Thread::start);
    }

    /** A thread of the normal client: that it is not served breaks a promise. */
    private void normal(String name, Runnable turn) {
        thread(name, () -> {
            try {
                while (!isOver) {
                    turn.run();
                }
            } catch (NotServedException e) {
                broken.add(e.getMessage());
            }
        });
    }

    /** A thread of the attackers: whatever comes back, it goes on. */
    private void hostile(String name, Random random, Consumer<Random> attack) {
        thread(name, () -> {
            while (isAttacked && victim.isAlive()) {
                try {
                    attack.accept(random);
                } catch (HarnessException e) {
                    Polling.sleep(DRIP_MILLIS); // no connection to be had: the server may be at its limit
                }
            }
        });
    }

    private void thread(String name, Runnable work) {
        Thread thread = new Thread(work, "attack-" + name);
        thread.setDaemon(true);
        threads.add(thread);
    }

    private void crowd(Random random) {
        CrowdAttack[] all = CrowdAttack.values();
        CrowdAttack attack = all[random.nextInt(all.length)];
        attacks.put(Thread.currentThread().getName(), attack.name());
        try (Crowd crowd = attack.open(connections, victim.port())) {
            crowds.incrementAndGet();
            for (long passed = 0; passed < HELD.toMillis() && isAttacked; passed += DRIP_MILLIS) {
                attack.drip(crowd);
                Polling.sleep(DRIP_MILLIS);
            }
        }
    }

    private void fuzz(Fuzz fuzz, boolean hasKey) {
        attacker.send(fuzz.next(), hasKey, FUZZ_PATIENCE);
        fuzzed.incrementAndGet();
        Polling.sleep(FUZZ_PAUSE_MILLIS);
    }

    private void hugeCalls() {
        HugeCalls calls = new HugeCalls(attacker);
        attacks.put("attack-huge", "many small items");
        calls.fill(SMALL_ITEMS, 10);
        huge.addAndGet(calls.together(HugeCalls.list()).size());
        for (HostileClient.Shot shot : HugeCalls.all()) {
            if (isAttacked) {
                attacks.put("attack-huge", shot.path());
                attacker.send(shot, true, END);
                huge.incrementAndGet();
            }
        }
        attacker.deleteAll();
        attacks.put("attack-huge", "large items");
        calls.fill(LARGE_ITEMS, LARGE_BYTES);
        huge.addAndGet(calls.together(HugeCalls.lease("large")).size());
        huge.addAndGet(calls.together(HugeCalls.list()).size());
        attacker.deleteAll();
    }

    private void watch(long start, Duration interval, Consumer<String> out) {
        NormalClient client = victim.client();
        long calls = client.calls();
        long refusals = client.refusals();
        long end = System.nanoTime() + interval.toNanos();
        while (System.nanoTime() < end && victim.isAlive() && broken.isEmpty()) {
            Polling.sleep(DRIP_MILLIS);
        }
        if (victim.isAlive()) {
            Sample sample = new Sample(
                    Duration.ofNanos(System.nanoTime() - start),
                    client.calls() - calls,
                    client.refusals() - refusals,
                    client.takeSlowest(),
                    victim.vitals());
            samples.add(sample);
            out.accept(sample.line());
            victim.forgetLog();
        }
    }

    /** The attackers stop first, and then the normal client. */
    private void end() {
        isAttacked = false;
        isOver = true;
        for (Thread thread : threads) {
            try {
                thread.join(END.toMillis());
            } catch (InterruptedException e) {
                throw HarnessException.interrupted(e);
            }
            if (thread.isAlive()) {
                broken.add("a call of " + thread.getName() + " does not end");
            }
        }
    }

    private List<String> verdict(Duration limit) {
        List<String> all = new ArrayList<>(broken);
        all.addAll(Verdict.of(samples, limit));
        if (victim.isAlive()) {
            attacker.deleteAll();
            victim.client().drain();
        }
        all.addAll(victim.awaitRecovery());
        return all;
    }
}
