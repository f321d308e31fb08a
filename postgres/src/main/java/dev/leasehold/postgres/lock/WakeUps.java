package dev.leasehold.postgres.lock;

import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.LockStore.Watch;
import dev.leasehold.postgres.internal.Listener;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes the waiters of this node when a key becomes free, and registers the node in the waiters table.
 *
 * <ol>
 *   <li>A watch registers this node as waiting for the key. The watcher is woken once the node is registered, because no release before
 *       that notified it. It is woken again soon after, because a release that was in flight may have missed the registration.
 *   <li>A release reads which other nodes wait. If none does, the watchers of this node are woken directly. If some do, a notification
 *       follows its commit that names one of them, each in turn. The watchers of that node are woken at once. All others, those of the
 *       releasing node too, are woken a moment later, in case that node is gone; the next notification cancels that.
 *   <li>The registration stays for a moment after the last watcher left, so a busy key registers once. A key that is watched again
 *       while its registration ends is registered once more afterwards.
 *   <li>While the node does not listen (behind a pooler, or the connection is lost), watchers are woken ten times a second.
 * </ol>
 */
final class WakeUps implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WakeUps.class);
    /** How long a registration counts, should this node die. */
    static final Duration REGISTRATION = Duration.ofSeconds(60);

    private static final long SOON = Duration.ofMillis(25).toNanos();
    private static final long BEAT = Duration.ofMillis(100).toNanos();
    private static final long LINGER = Duration.ofMillis(500).toNanos();

    /** When nodes that were not named wake their watchers: longer than the named one takes to acquire. */
    private static final long LATE = Duration.ofMillis(20).toNanos();

    private static final long REFRESH = Duration.ofSeconds(20).toNanos();

    private final Map<String, Watched> byPayload = new ConcurrentHashMap<>();
    private final AtomicBoolean beating = new AtomicBoolean();
    private final String node;
    private final Timer timer;
    private final Listener listener;
    private final Registry registry;

    /** Registers in the waiters table; hints, sent without waiting. */
    interface Registry {
        CompletableFuture<?> register(List<LockKey> keys);

        CompletableFuture<?> unregister(List<LockKey> keys);
    }

    WakeUps(String node, Timer timer, Function<WakeUps, Listener> listener, Registry registry) {
        this.node = node;
        this.timer = timer;
        this.registry = registry;
        this.listener = listener.apply(this);
    }

    Watch watch(LockKey key, Runnable wakeUp) {
        listener.want();
        Watched watched = byPayload.compute(payload(key), (payload, known) -> {
            Watched w = known == null ? new Watched(key) : known;
            w.watchers.add(wakeUp);
            return w;
        });
        if (watched.registered) {
            timer.after(0, wakeUp);
        } else {
            register(watched);
        }
        if (beating.compareAndSet(false, true)) {
            timer.after(BEAT, this::beat);
        }
        return () -> {
            watched.watchers.remove(wakeUp);
            watched.lastUsedNanos = System.nanoTime();
        };
    }

    private void register(Watched watched) {
        Futures.whenDone(registry.register(List.of(watched.key)), (ok, failure) -> {
            if (failure == null) {
                watched.registeredAtNanos = System.nanoTime();
                watched.registered = true;
            } else {
                log.debug("event=register_failed", failure);
            }
            timer.after(SOON, watched::wake);
            watched.wake();
        });
    }

    /** Keys that became free: {@code quiet} without a notification, {@code told} with one that reaches this node too if it listens. */
    void released(List<String> quiet, List<String> told) {
        quiet.forEach(this::wake);
        if (!listener.isListening()) {
            told.forEach(notification -> wake(payload(notification)));
        }
    }

    /** Keys that became free, with a notification that was not sent. */
    void notSent(List<String> notifications) {
        notifications.forEach(notification -> wake(payload(notification)));
    }

    private static String payload(String notification) {
        int space = notification.indexOf(' ');
        return space < 0 ? notification : notification.substring(0, space);
    }

    /** A notification: the payload of a key, and maybe the node whose turn it is. */
    void notified(String notification) {
        boolean namesNobody = notification.indexOf(' ') < 0;
        if (namesNobody || notification.endsWith(node)) {
            wake(payload(notification));
        } else {
            wakeLater(payload(notification));
        }
    }

    private void wakeLater(String payload) {
        Watched watched = byPayload.get(payload);
        if (watched != null) {
            int call = watched.calls.incrementAndGet();
            timer.after(LATE, () -> {
                if (watched.calls.get() == call) {
                    watched.wake();
                }
            });
        }
    }

    /** A key as it is in a notification: {@code md5(key)} in SQL, so that listening discloses no keys. */
    static String payload(LockKey key) {
        return Md5.hex(key.value());
    }

    private void wake(String payload) {
        Watched watched = byPayload.get(payload);
        if (watched != null) {
            watched.wake();
        }
    }

    void wakeAll() {
        byPayload.values().forEach(Watched::wake);
    }

    private void beat() {
        try {
            lookAfterRegistrations();
        } finally {
            beatAgain();
        }
    }

    /** Renews registrations, drops those without watchers, and polls while the listener has no connection. */
    private void lookAfterRegistrations() {
        long now = System.nanoTime();
        for (Watched watched : byPayload.values()) {
            if (!watched.watchers.isEmpty()) {
                listener.want();
                if (now - watched.registeredAtNanos > REFRESH && watched.registered) {
                    watched.registeredAtNanos = now;
                    Futures.logFailure(registry.register(List.of(watched.key)), log, "register_failed");
                }
            } else if (now - watched.lastUsedNanos > LINGER) {
                forget(watched);
            }
        }
        if (!listener.isListening()) {
            wakeAll();
        }
    }

    private void beatAgain() {
        if (byPayload.isEmpty()) {
            beating.set(false);
            if (byPayload.isEmpty() || !beating.compareAndSet(false, true)) {
                return;
            }
        }
        timer.after(BEAT / 2 + ThreadLocalRandom.current().nextLong(BEAT / 2), this::beat);
    }

    private void forget(Watched watched) {
        byPayload.computeIfPresent(payload(watched.key), (payload, w) -> w.watchers.isEmpty() ? null : w);
        if (watched.registered && !byPayload.containsKey(payload(watched.key))) {
            Futures.whenDone(registry.unregister(List.of(watched.key)), (ok, failure) -> unregistered(watched.key));
        }
    }

    /** A new watcher may have registered the key before the registration was deleted. */
    private void unregistered(LockKey key) {
        Watched again = byPayload.get(payload(key));
        if (again != null) {
            register(again);
        }
    }

    @Override
    public void close() {
        listener.close();
        List<LockKey> registered = byPayload.values().stream()
                .filter(w -> w.registered)
                .map(w -> w.key)
                .toList();
        byPayload.clear();
        if (!registered.isEmpty()) {
            Futures.logFailure(registry.unregister(registered), log, "unregister_failed");
        }
    }

    /** A key with watchers, or that had some until a moment ago. */
    private static final class Watched {
        final LockKey key;
        final Set<Runnable> watchers = ConcurrentHashMap.newKeySet();
        final AtomicInteger calls = new AtomicInteger();
        volatile boolean registered;
        volatile long registeredAtNanos;
        volatile long lastUsedNanos = System.nanoTime();

        Watched(LockKey key) {
            this.key = key;
        }

        void wake() {
            watchers.forEach(Runnable::run);
        }
    }
}
