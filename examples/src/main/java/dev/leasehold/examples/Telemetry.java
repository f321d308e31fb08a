package dev.leasehold.examples;

import static dev.leasehold.examples.Story.say;

import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockListener;
import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A listener that hears of every operation; keys only where it asks for them. */
public final class Telemetry {
    private Telemetry() {}

    public static void main(String[] args) throws SQLException {
        DataSource dataSource = TestPostgres.newSchema();
        LockSchema.create(dataSource);
        try (PostgresLocks locks = PostgresLocks.builder(dataSource)
                        .options(options -> options.listener(new Printer()))
                        .build();
                Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try (HeldLock lock = locks.acquire("report")) {
                locks.tryAcquire("report");
                lock.guard(connection);
                connection.commit();
            }
            locks.isLocked("report");
        }
    }

    /** Prints one line per event, with the key of the refused ones. */
    private static final class Printer implements LockListener {
        @Override
        public void onEvent(LockEvent event) {
            say(
                    "%-8s %-4s %-6s key=%s keyHash=%s %d us",
                    event.type().text(),
                    event.result().text(),
                    event.why().map(LockEvent.Reason::text).orElse(""),
                    event.key(),
                    event.keyHash(),
                    event.elapsed().toNanos() / 1000);
        }

        @Override
        public boolean includeRaw(LockEvent event) {
            return event.reason() == LockEvent.Reason.LOCKED;
        }
    }
}
