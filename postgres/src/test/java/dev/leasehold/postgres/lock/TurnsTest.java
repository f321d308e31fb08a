package dev.leasehold.postgres.lock;

import static dev.leasehold.testkit.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.postgres.Db;
import dev.leasehold.spi.LockHash;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.postgresql.ds.PGSimpleDataSource;

/** Which of the nodes that wait is told first that a lock is free. A node's id is a UUID: it stands between "0" and "y". */
class TurnsTest {
    private static final String KEY = "baton";
    private static final String KEY_HASH = "f7ea712e1b55a90de175172101d86f20";
    private static final String END = "end-" + UUID.randomUUID();
    private static final Duration LONG = Duration.ofMinutes(5);

    private PGSimpleDataSource dataSource;
    private PostgresLocks node;
    private PostgresLocks other;

    @BeforeEach
    void open() {
        dataSource = Db.withTables();
        node = node();
        other = node();
    }

    /** One whose waiters rely on wake-ups. */
    private PostgresLocks node() {
        return PostgresLocks.builder(dataSource)
                .options(o -> o.pollInterval(LONG).ttl(LONG))
                .build();
    }

    @AfterEach
    void close() {
        node.close();
        other.close();
    }

    private void waits(String id) {
        Db.execute(
                dataSource,
                "insert into syncguard_locks_waiters (key, node, until_ms) values ('" + KEY + "', '" + id
                        + "', 4000000000000)");
    }

    /** Who is named when the lock is released; empty if nobody is told. */
    private List<String> namedByARelease() throws Exception {
        HeldLock lock = node.acquire(AcquireRequest.of(KEY));
        try (Connection listening = dataSource.getConnection()) {
            Db.execute(listening, "listen \"" + channel() + "\"");
            lock.release();
            node.close(); // by then it is told
            Db.execute(dataSource, "select pg_notify('" + channel() + "', '" + END + "')");
            List<String> named = new ArrayList<>();
            PGConnection postgres = listening.unwrap(PGConnection.class);
            await().until(() -> isAtTheEnd(postgres.getNotifications(10), named));
            return named;
        }
    }

    private static boolean isAtTheEnd(PGNotification @Nullable [] heard, List<String> named) {
        boolean isAtTheEnd = false;
        for (PGNotification notification : heard == null ? new PGNotification[0] : heard) {
            String[] parts = notification.getParameter().split(" ", -1);
            if (parts[0].equals(KEY_HASH)) { // others release in the same database
                named.add(parts[1]);
            }
            isAtTheEnd |= parts[0].equals(END);
        }
        return isAtTheEnd;
    }

    private static String channel() {
        return "leasehold_" + LockHash.of(LockTables.DEFAULT.locks());
    }

    @Test
    void the_next_node_after_the_releasing_one_has_its_turn() throws Exception {
        waits("0");
        waits("y");
        waits("z");
        assertThat(namedByARelease()).containsExactly("y");
    }

    @Test
    void after_the_last_comes_the_first() throws Exception {
        waits("0");
        assertThat(namedByARelease()).containsExactly("0");
    }

    @Test
    void nobody_is_told_when_nobody_waits() throws Exception {
        assertThat(namedByARelease()).isEmpty();
    }

    @Test
    void a_named_node_that_is_gone_keeps_nobody_waiting() {
        HeldLock held = node.acquire(AcquireRequest.of(KEY));
        CompletableFuture<Optional<HeldLock>> waiting =
                other.async().tryAcquire(AcquireRequest.of(KEY).waitFor(LONG));
        await().until(() -> Db.number(dataSource, "select count(*) from syncguard_locks_waiters") == 1);
        waits("0");
        waits("z");
        held.release();
        assertThat(waiting).succeedsWithin(TestWaits.LIMIT);
        assertThat(waiting.join()).isPresent();
    }
}
