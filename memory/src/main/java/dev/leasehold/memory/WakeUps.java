package dev.leasehold.memory;

import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.LockStore.Watch;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who wants to hear that a key may be free. Wake-ups are given in the caller's thread, which holds no monitor of ours. */
final class WakeUps {
    private static final Logger log = LoggerFactory.getLogger(WakeUps.class);

    private final Map<LockKey, Set<Watcher>> watchers = new ConcurrentHashMap<>();

    /** From here on {@code wakeUp} hears of the key; for the first time at once, because the watch is in effect. */
    Watch watch(LockKey key, Runnable wakeUp) {
        Watcher watcher = new Watcher(this, key, wakeUp);
        watchers.compute(key, (k, all) -> {
            Set<Watcher> some = all == null ? ConcurrentHashMap.newKeySet() : all;
            some.add(watcher);
            return some;
        });
        watcher.wake();
        return watcher;
    }

    /** The key has become free. */
    void give(LockKey key) {
        watchers.getOrDefault(key, Set.of()).forEach(Watcher::wake);
    }

    private void remove(Watcher watcher) {
        watchers.computeIfPresent(watcher.key, (k, all) -> {
            all.remove(watcher);
            return all.isEmpty() ? null : all;
        });
    }

    int size() {
        return watchers.size();
    }

    /** One interest in one key. */
    private static final class Watcher implements Watch {
        private final WakeUps home;
        private final LockKey key;
        private final Runnable wakeUp;

        Watcher(WakeUps home, LockKey key, Runnable wakeUp) {
            this.home = home;
            this.key = key;
            this.wakeUp = wakeUp;
        }

        void wake() {
            try {
                wakeUp.run();
            } catch (RuntimeException e) {
                log.debug("event=wake_up_failed keyHash={}", key.hash(), e);
            }
        }

        @Override
        public void close() {
            home.remove(this);
        }
    }
}
