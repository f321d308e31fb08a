package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** A role that lacks a right is told which. */
@Timeout(TestWaits.TEST_LIMIT)
class MissingRightTest {
    @Test
    void a_role_that_may_not_create_tables_is_told_that_it_needs_create_on_the_schema() {
        PGSimpleDataSource owner = TestPostgres.newSchema();
        QueueSchema.create(owner);
        String schema = owner.getCurrentSchema();
        String role = "guest_" + schema;
        Db.execute(
                owner,
                "create role " + role + " login password '" + role + "'; grant usage on schema " + schema + " to "
                        + role
                        + "; grant all on all tables in schema " + schema + " to " + role
                        + "; grant all on all sequences in schema " + schema + " to " + role);
        PGSimpleDataSource guest = TestPostgres.dataSource();
        guest.setCurrentSchema(schema);
        guest.setUser(role);
        guest.setPassword(role);
        try (PostgresQueues queues = PostgresQueues.create(guest)) {
            queues.create(QueueConfig.named("work"));
            assertThatThrownBy(() -> queues.queue("work").produce(NewItem.of("x")))
                    .hasMessageContaining("permission denied for schema " + schema)
                    .hasMessageContaining("needs CREATE on the schema");
        } finally {
            Db.execute(owner, "drop schema " + schema + " cascade; drop role " + role);
        }
    }
}
