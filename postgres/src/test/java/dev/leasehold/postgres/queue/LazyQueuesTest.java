package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Queues connect when they are used: a database that is down keeps nobody from building them. */
@Timeout(TestWaits.TEST_LIMIT)
class LazyQueuesTest {
    private final PGSimpleDataSource schema = TestPostgres.newSchema();
    private final SwitchedDataSource dataSource = new SwitchedDataSource();

    @AfterEach
    void drop() {
        Db.execute(TestPostgres.dataSource(), "drop schema " + schema.getCurrentSchema() + " cascade");
    }

    @Test
    void queues_are_built_while_the_database_is_down_and_work_when_it_is_up() {
        QueueSchema.create(schema);
        try (PostgresQueues queues = PostgresQueues.create(dataSource)) {
            assertThatThrownBy(() -> queues.create(QueueConfig.named("lazy")))
                    .isInstanceOfSatisfying(
                            QueueException.class,
                            e -> assertThat(e.code()).isEqualTo(QueueErrorCode.SERVICE_UNAVAILABLE));
            dataSource.isUp = true;
            queues.create(QueueConfig.named("lazy"));
            assertThat(queues.queue("lazy").produce(NewItem.of("hello")).ids()).hasSize(1);
        }
    }

    /** A database that can be reached only when it is up. */
    private final class SwitchedDataSource extends PGSimpleDataSource {
        private static final long serialVersionUID = 1;
        private volatile boolean isUp;

        @Override
        public Connection getConnection() throws SQLException {
            if (!isUp) {
                throw new SQLException("connection refused", "08001");
            }
            return schema.getConnection();
        }
    }
}
