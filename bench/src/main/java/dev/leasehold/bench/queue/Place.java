package dev.leasehold.bench.queue;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.bench.Bench;
import dev.leasehold.bench.Database;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A schema for one system in one trial, and the pools in it. */
final class Place implements AutoCloseable {
    private final Database database;
    private final String schema;
    private final int partitions;
    private final List<HikariDataSource> pools = new ArrayList<>();

    Place(Database database, int partitions) {
        this.database = database;
        this.partitions = partitions;
        this.schema = database.newSchema();
    }

    Database database() {
        return database;
    }

    String schema() {
        return schema;
    }

    /** How many partitions the queue has, where a system knows such a thing. */
    int partitions() {
        return partitions;
    }

    /** The connections of one node. */
    HikariDataSource pool() {
        return pool(Bench.CONNECTIONS, "");
    }

    /** @param parameters further ones for pgjdbc, each with an ampersand before it */
    HikariDataSource pool(int connections, String parameters) {
        HikariDataSource pool = Database.pool(
                database.countedUrl(schema) + parameters, database.user(), database.password(), connections);
        pools.add(pool);
        return pool;
    }

    /** So that nobody's plans depend on whether autovacuum happened to come by after the items were put in. */
    void vacuum() throws SQLException {
        for (String table : database.texts("select format('%I.%I', schemaname, tablename) from pg_tables"
                + " where schemaname = '" + schema + "'")) {
            database.execute("vacuum analyze " + table);
        }
    }

    /** The bytes of all tables, or of all their indexes. */
    long bytes(boolean ofIndexes) throws SQLException {
        String function = ofIndexes ? "pg_indexes_size" : "pg_table_size";
        return database.number("select coalesce(sum(" + function + "(c.oid)), 0)::bigint from pg_class c"
                + " where c.relkind = 'r' and c.relnamespace = '" + schema + "'::regnamespace");
    }

    @Override
    public void close() {
        pools.forEach(HikariDataSource::close);
        database.dropSchema(schema);
    }
}
