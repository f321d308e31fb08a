package dev.leasehold.cli.queue;

import dev.leasehold.cli.Places;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.testkit.TestPostgres;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.postgresql.ds.PGSimpleDataSource;

@Tag("slow")
class QueueCommandsOnPostgresTest extends QueueCommands {
    private static String url;

    @BeforeAll
    static void createTables() {
        PGSimpleDataSource schema = TestPostgres.newSchema();
        QueueSchema.create(schema);
        url = Places.url(schema);
    }

    @Override
    String url() {
        return url;
    }
}
