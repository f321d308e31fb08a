package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.postgres.Db;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The tables: created once, whoever comes first, under any valid name, and never mistaken for each other. */
class LockSchemaTest {
    @Test
    void creating_is_idempotent_and_keeps_what_is_there() {
        PGSimpleDataSource dataSource = Db.withTables();
        try (PostgresLocks locks = PostgresLocks.create(dataSource)) {
            locks.acquire("kept");
            LockSchema.create(dataSource);
            assertThat(locks.isLocked("kept")).isTrue();
        }
    }

    @Test
    void many_nodes_may_create_at_once() {
        PGSimpleDataSource dataSource = TestPostgres.newSchema();
        List<CompletableFuture<Void>> nodes = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.runAsync(() -> LockSchema.create(dataSource)))
                .toList();
        nodes.forEach(CompletableFuture::join);
        try (PostgresLocks locks = PostgresLocks.create(dataSource)) {
            assertThat(locks.tryAcquire("first")).isPresent();
        }
    }

    @Test
    void a_complete_schema_is_not_touched_again() throws Exception {
        PGSimpleDataSource dataSource = Db.withTables();
        try (Connection reader = Db.transaction(dataSource)) {
            Db.number(reader, "select count(*) from syncguard_locks"); // would keep an ALTER TABLE waiting
            TestWaits.get(CompletableFuture.runAsync(() -> LockSchema.create(dataSource)));
        }
    }

    @Test
    void syncguards_own_tables_are_brought_up_to_date() throws Exception {
        PGSimpleDataSource dataSource = TestPostgres.newSchema();
        Db.execute(
                dataSource,
                "create table syncguard_locks (key text primary key, lock_id text not null, expires_at_ms bigint not null,"
                        + " acquired_at_ms bigint not null, fence text not null, user_key text not null);"
                        + " create unique index idx_syncguard_locks_lock_id on syncguard_locks (lock_id);"
                        + " create index idx_syncguard_locks_expires on syncguard_locks (expires_at_ms);"
                        + " create table syncguard_fence_counters (fence_key text primary key, fence bigint not null default 0)");
        LockSchema.create(dataSource);
        try (PostgresLocks locks = PostgresLocks.create(dataSource)) {
            assertThat(locks.tryAcquire("old")).isPresent();
        }
        assertThat(new SyncGuardClient(dataSource).acquire("old", 1000)).isEmpty();
    }

    @Test
    void names_are_quoted_so_that_capitals_count() {
        PGSimpleDataSource dataSource = TestPostgres.newSchema();
        LockTables tables = new LockTables("AppLocks", "AppFences");
        LockSchema.create(dataSource, tables);
        try (PostgresLocks locks =
                PostgresLocks.builder(dataSource).tables(tables).build()) {
            assertThat(locks.tryAcquire("capital")).isPresent();
        }
        assertThat(Db.number(dataSource, "select count(*) from \"AppLocks\"")).isEqualTo(1);
    }

    @Test
    void listing_needs_an_index_of_its_own_only_where_the_key_has_another_order() {
        PGSimpleDataSource ours = Db.withTables();
        String indexes = "select count(*) from pg_indexes where schemaname = current_schema()"
                + " and tablename = 'syncguard_locks'";
        assertThat(Db.number(ours, indexes)).as("key, lock_id, expiry").isEqualTo(3);

        PGSimpleDataSource theirs = TestPostgres.newSchema();
        Db.execute(
                theirs,
                "create table syncguard_locks (key text primary key, lock_id text not null, expires_at_ms bigint not null,"
                        + " acquired_at_ms bigint not null, fence text not null, user_key text not null)");
        LockSchema.create(theirs);
        LockSchema.create(theirs);
        assertThat(Db.number(theirs, indexes)).isEqualTo(4);
    }

    @Test
    void locks_and_fences_cannot_share_a_table() {
        assertInvalid(
                () -> new LockTables("same", "same"),
                "Fence counter table must differ from lock table to prevent accidental deletion");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1locks", "my-locks", "locks; drop table x", "a.b", "\"locks\"", "schlösser"})
    void a_table_name_is_an_identifier(String name) {
        assertInvalid(() -> new LockTables(name, "fences"), "Invalid table name - must be a valid SQL identifier");
        assertInvalid(() -> new LockTables("locks", name), "Invalid fence table name - must be a valid SQL identifier");
    }

    @Test
    void a_table_name_leaves_room_for_the_names_of_its_indexes() {
        assertThat(new LockTables("x".repeat(51), "fences").locks()).hasSize(51);
        assertInvalid(
                () -> new LockTables("x".repeat(52), "fences"),
                "Invalid table name - must be a valid SQL identifier of at most 51 characters, got 52");
    }

    @Test
    void a_table_that_is_not_there_is_told_as_such() {
        PGSimpleDataSource dataSource = TestPostgres.newSchema();
        try (PostgresLocks locks = PostgresLocks.create(dataSource)) {
            assertThatThrownBy(() -> locks.isLocked("nowhere"))
                    .isInstanceOfSatisfying(
                            LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.INVALID_ARGUMENT))
                    .hasMessageContaining("LockSchema.create");
        }
    }

    private static void assertInvalid(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.INVALID_ARGUMENT))
                .hasMessage(message);
    }
}
