package dev.leasehold.testkit.proxy;

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a proxy does to what passes: nothing, or some of these faults. Safe for use by many threads.
 *
 * <p>{@link #clear()} ends them all; what was held up is then delivered late.
 */
public final class ProxyFaults {
    private final Random random;
    private final AtomicInteger cut = new AtomicInteger();
    private final AtomicInteger lostReplies = new AtomicInteger();
    private volatile int latencyMillis;
    private volatile int mostDelayMillis;
    private volatile double cutChance;
    private volatile double lossChance;
    private volatile boolean isSwallowingReplies;
    private boolean isBlackHole;

    ProxyFaults(long seed) {
        this.random = new Random(seed);
    }

    /** Everything passes. */
    public synchronized void clear() {
        latencyMillis = 0;
        mostDelayMillis = 0;
        cutChance = 0;
        lossChance = 0;
        isSwallowingReplies = false;
        isBlackHole = false;
        notifyAll();
    }

    /** What is sent in one go takes so long, in each direction, as on a longer wire. */
    public void latency(int millis) {
        latencyMillis = millis;
    }

    /** Every message is held up for a random while. */
    public void delay(int mostMillis) {
        mostDelayMillis = mostMillis;
    }

    /** A statement in so many is cut in two: the server gets the first half, and the connection ends. */
    public void cutStatements(double chance) {
        cutChance = chance;
    }

    /** The reply to a commit in so many is lost: the server has committed, the client never hears of it, the connection ends. */
    public void loseReplies(double chance) {
        lossChance = chance;
    }

    /** No reply passes, connections stay open: the server does everything, the client never hears of it. Cut them afterwards. */
    public void swallowReplies() {
        isSwallowingReplies = true;
    }

    /** Nothing passes, and nobody is told. */
    public synchronized void blackHole() {
        isBlackHole = true;
    }

    /** What the black hole has held up is delivered late; other faults stay. */
    public synchronized void endBlackHole() {
        isBlackHole = false;
        notifyAll();
    }

    /** How many statements were cut in two so far. */
    public int cuts() {
        return cut.get();
    }

    /** How many commits happened so far whose reply was lost. */
    public int lostReplies() {
        return lostReplies.get();
    }

    /** Holds up the calling thread for as long as the wire is. */
    void travel() throws InterruptedException {
        int millis = latencyMillis;
        if (millis > 0) {
            Thread.sleep(millis);
        }
    }

    /** Holds up the calling thread for as long as the faults want. */
    void pass() throws InterruptedException {
        synchronized (this) {
            while (isBlackHole) {
                wait();
            }
        }
        int most = mostDelayMillis;
        if (most > 0) {
            Thread.sleep(random.nextInt(most + 1));
        }
    }

    boolean swallowsReplies() {
        return isSwallowingReplies;
    }

    boolean cutsNow() {
        return isHit(cutChance, cut);
    }

    boolean losesNow() {
        return lossChance > 0 && random.nextDouble() < lossChance;
    }

    void lost() {
        lostReplies.incrementAndGet();
    }

    private boolean isHit(double chance, AtomicInteger count) {
        boolean hit = chance > 0 && random.nextDouble() < chance;
        if (hit) {
            count.incrementAndGet();
        }
        return hit;
    }
}
