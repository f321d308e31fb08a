package dev.leasehold.queue.internal.dispatch;

import dev.leasehold.spi.Nanos;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the stores for what this node does not know: items of other nodes, and notifications that were lost.
 *
 * <p>One look at a store is under way at a time. A look that is wanted meanwhile follows it: the answer that is on its way may be too
 * old.
 */
final class Poller {
    /** How much more rarely to look while nobody waits. */
    private static final int IDLE_FACTOR = 5;

    /** A look that takes long, over what a held snapshot keeps there, is followed by a rest of so many times as long, within reason. */
    private static final int REST_FACTOR = 20;

    private static final long SOON_NANOS = Duration.ofMillis(250).toNanos();
    private static final long LISTEN_NANOS = Duration.ofSeconds(1).toNanos();

    private final PartitionTable partitions;
    private final Questions questions;
    private final long intervalNanos;
    private final LongUnaryOperator jitter;
    private final Set<String> looking = new HashSet<>();
    private final Map<String, Long> deferred = new HashMap<>();
    private long nextNanos;
    private long nextListenNanos;
    private long restUntilNanos;

    /** @param jitter returns a random number from zero to its argument */
    Poller(PartitionTable partitions, Questions questions, Duration interval, LongUnaryOperator jitter, long now) {
        this.partitions = partitions;
        this.questions = questions;
        this.intervalNanos = Nanos.of(interval);
        this.jitter = jitter;
        this.nextNanos = now;
        this.nextListenNanos = now;
        this.restUntilNanos = now;
    }

    /** The looks that can begin now; where one is under way, the next is deferred. */
    List<Look> look() {
        List<Look> looks = new ArrayList<>();
        for (String store : new LinkedHashSet<>(partitions.record().stores())) {
            if (looking.add(store)) {
                looks.add(lookAt(store, questions.open()));
            } else if (!deferred.containsKey(store)) {
                deferred.put(store, questions.open());
            }
        }
        return looks;
    }

    /** A look has ended; returns the one that was deferred, if any. */
    @Nullable Look next(Look ended) {
        Long question = deferred.remove(ended.store());
        if (question == null) {
            looking.remove(ended.store());
            return null;
        }
        return lookAt(ended.store(), question);
    }

    private Look lookAt(String store, long question) {
        List<PartitionState> states = partitions.in(store);
        int[] changes = new int[states.size()];
        for (int i = 0; i < changes.length; i++) {
            changes[i] =
                    states.get(i).isChanging() ? Look.INEXACT : states.get(i).changes();
        }
        return new Look(store, states.stream().map(partitions::ref).toList(), question, changes);
    }

    /** A look was answered after so long. */
    void rest(long tookNanos, long now) {
        restUntilNanos = now + Math.min(REST_FACTOR * tookNanos, intervalNanos * IDLE_FACTOR);
    }

    /** Looks before long: something failed. */
    void soon(long now) {
        long soon = now + SOON_NANOS;
        nextNanos = nextNanos - soon < 0 ? nextNanos : soon;
    }

    /** Whether to look now; if so, the next time is set. */
    boolean takeDue(long now, boolean isAwaited) {
        long most = intervalNanos * (isAwaited ? 1 : IDLE_FACTOR);
        nextNanos = nextNanos - now > most ? now + most : nextNanos;
        boolean isDue = now - nextNanos >= 0 && now - restUntilNanos >= 0;
        if (isDue) {
            nextNanos = now + most / 2 + jitter.applyAsLong(most / 2);
        }
        return isDue;
    }

    /** Whether to listen to other nodes now; if so, the next time is set. */
    boolean takeListen(long now) {
        boolean listens = now - nextListenNanos >= 0;
        if (listens) {
            nextListenNanos = now + LISTEN_NANOS;
        }
        return listens;
    }
}
