package dev.leasehold.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.Places;
import dev.leasehold.cli.Typed;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.testkit.TestPostgres;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

@Tag("slow")
class LockCommandsOnPostgresTest extends LockCommands {
    private static String url;

    @BeforeAll
    static void createTables() {
        PGSimpleDataSource schema = TestPostgres.newSchema();
        LockSchema.create(schema);
        url = Places.url(schema);
    }

    @Override
    String url() {
        return url;
    }

    @Test
    void without_tables_the_command_that_creates_them_is_named() {
        Typed answer = Typed.command("lock", "list", "--url", Places.url(TestPostgres.newSchema()));
        assertThat(answer.status()).isEqualTo(ExitStatus.FAILURE);
        assertThat(answer.err()).contains("leasehold migrate");
        assertThat(answer.err().lines()).hasSize(1);
    }

    @Test
    void a_password_in_the_address_is_not_repeated() {
        Typed answer = Typed.command("lock", "list", "--url", "postgres://app:s3cret@127.0.0.1:1/app");
        assertThat(answer.status()).isEqualTo(ExitStatus.FAILURE);
        assertThat(answer.err()).contains("app").doesNotContain("s3cret");
    }
}
