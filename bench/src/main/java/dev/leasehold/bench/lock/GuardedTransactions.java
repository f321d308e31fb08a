package dev.leasehold.bench.lock;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.bench.Bench;
import dev.leasehold.bench.Contender;
import dev.leasehold.bench.Database;
import dev.leasehold.bench.Recorder;
import dev.leasehold.bench.Trial;
import dev.leasehold.bench.Variant;
import dev.leasehold.bench.Versions;
import dev.leasehold.bench.Workers;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.PostgresLocks;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** L5: a small transaction that makes sure of its lock, first or with its commit, beside the same transaction that does not. */
final class GuardedTransactions implements Trial {
    private enum Guard {
        FIRST,
        WITH_COMMIT,
        NONE
    }

    private static final String ACCOUNTS = "create table accounts (id int primary key, balance bigint not null)";
    private static final String ENTRIES =
            "create table entries (id bigint generated always as identity primary key, account int not null,"
                    + " amount bigint not null, text text not null)";

    private final Database database;
    private final String schema;
    private final HikariDataSource pool;
    private final HikariDataSource lockPool;
    private final PostgresLocks locks;
    private final Guard guard;
    private final List<HeldLock> held = new ArrayList<>();

    private GuardedTransactions(Bench bench, Guard guard) {
        this.database = bench.database();
        this.schema = database.newSchema();
        this.pool = database.pool(schema, Bench.CONNECTIONS);
        this.lockPool = database.pool(schema, 2);
        this.guard = guard;
        LockSchema.create(lockPool);
        this.locks = PostgresLocks.create(lockPool);
    }

    static List<Contender> contenders() {
        String what =
                "read and update of an account, insert of an entry, commit; one account and one lock for each thread";
        return List.of(
                Contender.of(
                        Contender.LEASEHOLD,
                        Versions.of("leasehold"),
                        "guard, then " + what,
                        (bench, variant) -> open(bench, variant, Guard.FIRST)),
                Contender.of(
                        "leasehold-commit",
                        Versions.of("leasehold"),
                        "the same with commitGuarded at its end",
                        (bench, variant) -> open(bench, variant, Guard.WITH_COMMIT)),
                Contender.of(
                        "unguarded",
                        Versions.of("pgjdbc"),
                        "the same without guard",
                        (bench, variant) -> open(bench, variant, Guard.NONE)));
    }

    private static Trial open(Bench bench, Variant variant, Guard guard) throws SQLException {
        GuardedTransactions trial = new GuardedTransactions(bench, guard);
        try (Connection connection = trial.pool.getConnection()) {
            connection.createStatement().execute(ACCOUNTS);
            connection.createStatement().execute(ENTRIES);
            connection
                    .createStatement()
                    .execute("insert into accounts select n, 0 from generate_series(0, " + variant.concurrency()
                            + ") n");
        }
        for (int i = 0; i < variant.concurrency(); i++) {
            trial.held.add(trial.locks.acquire("account:" + i));
        }
        return trial;
    }

    @Override
    public void run(Recorder recorder, Duration duration) throws InterruptedException {
        List<Workers.Step> steps = new ArrayList<>();
        for (int i = 0; i < held.size(); i++) {
            int account = i;
            steps.add(() -> transaction(account));
        }
        Workers.run(recorder, duration, steps);
    }

    private long transaction(int account) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            if (guard == Guard.FIRST) {
                held.get(account).guard(connection);
            }
            long balance = balance(connection, account);
            update(connection, "update accounts set balance = ? where id = ?", balance + 1, account);
            update(
                    connection,
                    "insert into entries (amount, account, text) values (?, ?, 'a small entry')",
                    1,
                    account);
            if (guard == Guard.WITH_COMMIT) {
                held.get(account).commitGuarded(connection);
            } else {
                connection.commit();
            }
            return 1;
        }
    }

    private static long balance(Connection connection, int account) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select balance from accounts where id = ?")) {
            statement.setInt(1, account);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private static void update(Connection connection, String sql, long amount, int account) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, amount);
            statement.setInt(2, account);
            statement.executeUpdate();
        }
    }

    @Override
    public void close() {
        try (pool;
                lockPool) {
            held.forEach(HeldLock::release);
            locks.close();
        }
        database.dropSchema(schema);
    }
}
