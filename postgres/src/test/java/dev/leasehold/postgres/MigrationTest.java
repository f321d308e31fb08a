package dev.leasehold.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdException;
import dev.leasehold.lock.Fence;
import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.LockTables;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.postgres.queue.PostgresQueue;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.postgres.queue.QueueTables;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Migrations: from nothing, from the tables of earlier builds and from any state between; never with a loss. */
@Timeout(TestWaits.TEST_LIMIT)
class MigrationTest {
    private static final List<String> TABLES = List.of(
            "syncguard_locks",
            "syncguard_fence_counters",
            "syncguard_locks_waiters",
            "queues",
            "items_8v77pT0sia_0",
            "items_5meWNMbzkC_0");
    private static final List<String> ALL_VERSIONS = List.of("syncguard_locks 1 locks", "queues 2 queues");

    private final PGSimpleDataSource dataSource = TestPostgres.newSchema();

    @AfterEach
    void drop() {
        Db.execute(TestPostgres.dataSource(), "drop schema " + dataSource.getCurrentSchema() + " cascade");
    }

    private void migrate() {
        migrate(dataSource);
    }

    private static void migrate(PGSimpleDataSource target) {
        try (Leasehold leasehold = PostgresLeasehold.connect(target)) {
            leasehold.migrate();
        }
    }

    private void createTablesOfEarlierBuild() {
        Db.execute(dataSource, Db.resource("tables_before_versions.sql"));
    }

    private List<String> versions() {
        return texts(
                "select table_name || ' ' || version || ' ' || description from leasehold_schema_version order by version");
    }

    private List<String> texts(String query) {
        List<String> found = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                found.add(row.getString(1));
            }
            return found;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Every row of every table, as text. */
    private Map<String, List<String>> rows() {
        return TABLES.stream()
                .collect(Collectors.toMap(
                        table -> table, table -> texts("select t::text from \"" + table + "\" t order by 1")));
    }

    private static void assertWorks(PGSimpleDataSource target) {
        try (PostgresLeasehold leasehold = PostgresLeasehold.connect(target)) {
            assertThat(leasehold.locks().tryAcquire("fresh")).isPresent();
            leasehold.queues().create(QueueConfig.named("fresh"));
            PostgresQueue queue = leasehold.queues().queue("fresh");
            queue.produce(NewItem.of("hello"));
            assertThat(queue.lease(LeaseRequest.of("me", 1)).items())
                    .extracting(LeasedItem::text)
                    .containsExactly("hello");
        }
    }

    @Test
    void an_empty_database_gets_every_version_once() {
        migrate();
        List<String> applied = texts("select applied_at::text from leasehold_schema_version");
        migrate();
        assertThat(versions()).isEqualTo(ALL_VERSIONS);
        assertThat(texts("select applied_at::text from leasehold_schema_version"))
                .isEqualTo(applied);
        assertWorks(dataSource);
    }

    @Test
    void the_tables_of_an_earlier_build_are_recorded_and_lose_nothing() {
        createTablesOfEarlierBuild();
        Map<String, List<String>> before = rows();
        assertThat(before.values()).allSatisfy(rows -> assertThat(rows).isNotEmpty());
        migrate();
        assertThat(rows()).isEqualTo(before);
        assertThat(versions()).isEqualTo(ALL_VERSIONS);
    }

    @Test
    void complete_tables_are_recorded_beside_transactions_that_read_them() throws Exception {
        createTablesOfEarlierBuild();
        try (Connection reader = Db.transaction(dataSource)) {
            for (String table : TABLES) {
                Db.number(reader, "select count(*) from \"" + table + "\""); // would keep an ALTER TABLE waiting
            }
            TestWaits.get(CompletableFuture.runAsync(this::migrate));
        }
        assertThat(versions()).isEqualTo(ALL_VERSIONS);
    }

    @Test
    void locks_of_an_earlier_build_stay_held_and_fences_go_on() {
        createTablesOfEarlierBuild();
        migrate();
        try (PostgresLocks locks = PostgresLocks.create(dataSource)) {
            assertThat(locks.tryAcquire("ledger:7")).isEmpty();
            assertThat(locks.tryAcquire("billing:nightly")).isEmpty();
            assertThat(locks.tryAcquire("expired").orElseThrow().fence()).isEqualTo(Fence.of(4));
            assertThat(locks.tryAcquire("released").orElseThrow().fence()).isEqualTo(Fence.of(100));
        }
    }

    @Test
    void items_of_an_earlier_build_are_leased_completed_scheduled_and_dead_as_before() {
        createTablesOfEarlierBuild();
        migrate();
        try (PostgresLeasehold leasehold = PostgresLeasehold.connect(dataSource)) {
            PostgresQueue work = leasehold.queues().queue("work");
            StoredItem leased = work.list(ItemListing.of(0)).get(0);
            assertThat(leased.isLeased()).isTrue();
            assertThat(leased.reference()).isEqualTo("order-1");
            work.complete(0, List.of(leased.id()));
            assertThat(work.listScheduled(ItemListing.of(0))).hasSize(1);

            LeasedBatch ready = work.lease(LeaseRequest.of("me", 10));
            assertThat(ready.items()).extracting(LeasedItem::text).containsExactly("ready", "given back");
            work.complete(ready);
            work.produce(NewItem.of("new"));
            assertThat(work.lease(LeaseRequest.of("me", 10)).items())
                    .extracting(LeasedItem::text)
                    .containsExactly("new");

            assertThat(leasehold
                            .queues()
                            .queue("work-dead")
                            .lease(LeaseRequest.of("me", 10))
                            .items())
                    .extracting(LeasedItem::text)
                    .containsExactly("dead");
        }
    }

    @Test
    void tables_that_lack_what_a_later_build_added_get_it() {
        createTablesOfEarlierBuild();
        Db.execute(
                dataSource,
                "alter table queues drop column timeline; alter table \"items_8v77pT0sia_0\" drop column given_back;"
                        + " alter table syncguard_locks drop column holder_lease_ms; drop table syncguard_locks_waiters");
        migrate();
        assertThat(versions()).isEqualTo(ALL_VERSIONS);
        try (PostgresLeasehold leasehold = PostgresLeasehold.connect(dataSource)) {
            assertThat(leasehold.locks().tryAcquire("ledger:7")).isEmpty();
            assertThat(leasehold.queues().queue("work").list(ItemListing.of(0))).hasSize(3);
        }
    }

    @Test
    void what_somebody_has_dropped_is_created_again() {
        migrate();
        Db.execute(dataSource, "drop index idx_syncguard_locks_expires");
        migrate();
        assertThat(Db.number(
                        dataSource,
                        "select count(*) from pg_indexes where schemaname = current_schema()"
                                + " and indexname = 'idx_syncguard_locks_expires'"))
                .isEqualTo(1);
    }

    @Test
    void many_nodes_may_migrate_at_once() {
        List<CompletableFuture<Void>> nodes = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.runAsync(this::migrate))
                .toList();
        nodes.forEach(CompletableFuture::join);
        assertThat(versions()).isEqualTo(ALL_VERSIONS);
        assertWorks(dataSource);
    }

    @Test
    void a_migration_that_is_interrupted_leaves_whole_versions_and_is_finished_by_the_next() throws Exception {
        Db.execute(dataSource, "create table queues (name text primary key)");
        try (Connection blocker = Db.transaction(dataSource)) {
            Db.execute(blocker, "lock table queues in access share mode");
            CompletableFuture<Void> migration = CompletableFuture.runAsync(this::migrate);
            String waiting = " from pg_locks where not granted and locktype = 'relation' and relation = '"
                    + dataSource.getCurrentSchema() + ".queues'::regclass" + Db.IN_THIS_DATABASE;
            TestWaits.await().until(() -> Db.number(dataSource, "select count(*)" + waiting) == 1);
            Db.number(dataSource, "select count(pg_terminate_backend(pid))" + waiting);
            assertThatThrownBy(migration::join).hasCauseInstanceOf(LeaseholdException.class);
        }
        assertThat(versions()).containsExactly("syncguard_locks 1 locks");
        assertThat(texts("select attname from pg_attribute where attrelid = 'queues'::regclass and attnum > 0"))
                .containsExactly("name");
        Db.execute(dataSource, "drop table queues");
        migrate();
        assertThat(versions()).isEqualTo(ALL_VERSIONS);
        assertWorks(dataSource);
    }

    @Test
    void a_schema_that_needs_a_newer_build_is_refused() {
        migrate();
        recordVersion("99, 'from the future', '', 98");
        assertThatThrownBy(this::migrate)
                .isInstanceOf(LeaseholdException.class)
                .hasMessageContaining("the table \"queues\" has version 99 of Leasehold's schema")
                .hasMessageContaining("this build knows version 2")
                .hasMessageContaining("Use a newer version of Leasehold");
    }

    /** So that a node of the build before can start again while others are upgraded. */
    @Test
    void a_newer_schema_that_is_compatible_is_left_alone() {
        migrate();
        recordVersion("99, 'adds an index', '', 2");
        migrate();
        assertWorks(dataSource);
    }

    private void recordVersion(String values) {
        Db.execute(
                dataSource,
                "insert into leasehold_schema_version (table_name, version, description, checksum, min_compatible_version)"
                        + " values ('queues', " + values + ")");
    }

    @Test
    void a_role_that_may_not_create_tables_is_told_which_rights_it_needs() {
        PGSimpleDataSource guest = guest();
        assertThatThrownBy(() -> migrate(guest))
                .isInstanceOf(LeaseholdException.class)
                .hasMessageContaining("permission denied for schema " + dataSource.getCurrentSchema())
                .hasMessageContaining("the role needs CREATE on the schema and must own the tables");
        forget(guest);
    }

    @Test
    void a_role_that_may_not_create_tables_has_nothing_to_do_where_they_are_complete() {
        createTablesOfEarlierBuild();
        PGSimpleDataSource guest = guest();
        migrate(guest);
        assertThat(texts("select to_regclass('leasehold_schema_version')::text"))
                .containsOnlyNulls();
        migrate();
        migrate(guest);
        forget(guest);
    }

    /** A role that may use the tables that are there, but not create or alter any. */
    private PGSimpleDataSource guest() {
        String schema = dataSource.getCurrentSchema();
        String role = "migration_guest_" + schema;
        Db.execute(
                dataSource,
                "create role " + role + " login password '" + role + "'; grant usage on schema " + schema + " to "
                        + role + "; grant select on all tables in schema " + schema + " to " + role);
        PGSimpleDataSource guest = TestPostgres.copyOf(dataSource);
        guest.setUser(role);
        guest.setPassword(role);
        return guest;
    }

    private void forget(PGSimpleDataSource guest) {
        Db.execute(dataSource, "drop owned by " + guest.getUser() + "; drop role " + guest.getUser());
    }

    @Test
    void tables_of_other_names_have_versions_of_their_own() {
        migrate();
        LockSchema.create(dataSource, new LockTables("AppLocks", "AppFences"));
        QueueSchema.create(dataSource, new QueueTables("app_queues"));
        assertThat(versions())
                .contains("AppLocks 1 locks", "app_queues 2 queues")
                .hasSize(4);
        assertThat(Db.number(dataSource, "select count(*) from \"AppLocks_waiters\""))
                .isZero();
    }

    @Test
    void tables_are_completed_where_they_are_and_not_first_in_the_search_path() {
        createTablesOfEarlierBuild();
        Db.execute(dataSource, "drop index idx_syncguard_locks_expires; alter table queues drop column timeline");
        PGSimpleDataSource other = TestPostgres.newSchema();
        String first = other.getCurrentSchema();
        other.setCurrentSchema(first + "," + dataSource.getCurrentSchema());
        migrate(other);
        assertThat(versions()).isEqualTo(ALL_VERSIONS);
        assertThat(Db.number(dataSource, "select count(*) from pg_tables where schemaname = '" + first + "'"))
                .isZero();
        Db.execute(dataSource, "drop schema " + first + " cascade");
    }

    @Test
    void every_file_can_be_run_by_itself_and_twice() {
        for (String file : files().toList()) {
            Db.execute(dataSource, file);
            Db.execute(dataSource, file);
        }
        assertThat(versions()).isEqualTo(ALL_VERSIONS);
        assertWorks(dataSource);
    }

    private static Stream<String> files() {
        return ArchitectureTest.files(
                        ArchitectureTest.root()
                                .resolve("postgres/src/main/resources/dev/leasehold/postgres/migrations"),
                        ".sql")
                .map(ArchitectureTest::read);
    }
}
