package dev.leasehold.postgres.lock;

import static dev.leasehold.testkit.TestWaits.await;

import dev.leasehold.lock.LockKey;
import dev.leasehold.postgres.internal.Listener;
import dev.leasehold.spi.Timer;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a node says that it waits for a key, and that it no longer does. */
@Timeout(TestWaits.TEST_LIMIT)
class WakeUpsTest {
    private static final LockKey KEY = LockKey.of("watched");

    private final Timer timer = new Timer("wake-ups-test");
    private final CompletableFuture<Void> unregistered = new CompletableFuture<>();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final WakeUps wakeUps = new WakeUps("node", timer, WakeUpsTest::listener, new WakeUps.Registry() {
        @Override
        public CompletableFuture<?> register(List<LockKey> keys) {
            told.add("register");
            boolean isFirst = told.size() == 1; // of those that are not answered none is refreshed
            return isFirst ? CompletableFuture.completedFuture(null) : new CompletableFuture<>();
        }

        @Override
        public CompletableFuture<?> unregister(List<LockKey> keys) {
            told.add("unregister");
            return unregistered;
        }
    });

    private static Listener listener(WakeUps all) {
        return new Listener(TestPostgres.dataSource(), "wake_ups_test", all::notified, all::wakeAll);
    }

    @AfterEach
    void close() {
        wakeUps.close();
        timer.close();
    }

    /** Registering and unregistering may take effect in either order: they travel on different connections. */
    @Test
    void a_key_that_is_watched_again_while_it_is_unregistered_is_registered_once_more() {
        wakeUps.watch(KEY, () -> {}).close();
        await().until(() -> told.equals(List.of("register", "unregister")));
        wakeUps.watch(KEY, () -> {});
        await().until(() -> told.equals(List.of("register", "unregister", "register")));
        unregistered.complete(null);
        await().until(() -> told.equals(List.of("register", "unregister", "register", "register")));
    }
}
