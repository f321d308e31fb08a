package dev.leasehold.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leasehold;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.util.function.IntSupplier;
import liquibase.Liquibase;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Flyway and Liquibase run the versioned files as docs/migrations.md shows, and leave nothing for {@code migrate()} to do. */
@Timeout(TestWaits.TEST_LIMIT)
class MigrationToolsTest {
    private final PGSimpleDataSource dataSource = TestPostgres.newSchema();

    @AfterEach
    void drop() {
        Db.execute(TestPostgres.dataSource(), "drop schema " + dataSource.getCurrentSchema() + " cascade");
    }

    private int flyway() {
        return Flyway.configure()
                .dataSource(dataSource)
                .locations("classpath:dev/leasehold/postgres/migrations")
                .table("leasehold_flyway_history")
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load()
                .migrate()
                .migrationsExecuted;
    }

    /** Returns how many changesets have been run so far. */
    private int liquibase() {
        try (Liquibase liquibase = new Liquibase(
                "dev/leasehold/postgres/liquibase-changelog.yaml",
                new ClassLoaderResourceAccessor(),
                new JdbcConnection(dataSource.getConnection()))) {
            liquibase.update();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return (int) Db.number(dataSource, "select count(*) from databasechangelog");
    }

    private void assertNothingIsLeftToDo() {
        String applied = "select hash_record_extended(row(count(*), min(applied_at), max(version)), 0)"
                + " from leasehold_schema_version";
        long before = Db.number(dataSource, applied);
        try (Leasehold leasehold = PostgresLeasehold.connect(dataSource)) {
            assertThat(leasehold.locks().tryAcquire("before migrate")).isPresent();
            leasehold.migrate();
        }
        assertThat(Db.number(dataSource, applied)).isEqualTo(before);
        assertThat(Db.number(dataSource, "select count(*) from leasehold_schema_version"))
                .isEqualTo(2);
    }

    @Test
    void flyway_runs_the_files_on_an_empty_database_once() {
        assertThat(flyway()).isEqualTo(2);
        assertThat(flyway()).isZero();
        assertNothingIsLeftToDo();
    }

    @Test
    void liquibase_runs_the_files_on_an_empty_database_once() {
        assertThat(liquibase()).isEqualTo(2);
        assertThat(liquibase()).isEqualTo(2);
        assertNothingIsLeftToDo();
    }

    @Test
    void flyway_takes_over_the_tables_of_an_earlier_build() {
        assertTakesOver(this::flyway);
    }

    @Test
    void liquibase_takes_over_the_tables_of_an_earlier_build() {
        assertTakesOver(this::liquibase);
    }

    private void assertTakesOver(IntSupplier tool) {
        Db.execute(dataSource, Db.resource("tables_before_versions.sql"));
        assertThat(tool.getAsInt()).isEqualTo(2);
        assertThat(Db.number(dataSource, "select count(*) from syncguard_locks"))
                .isEqualTo(3);
        assertThat(Db.number(dataSource, "select count(*) from queues")).isEqualTo(2);
        assertNothingIsLeftToDo();
    }
}
