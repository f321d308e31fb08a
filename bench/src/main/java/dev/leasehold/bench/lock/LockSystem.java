package dev.leasehold.bench.lock;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.bench.Bench;
import dev.leasehold.bench.Contender;
import dev.leasehold.bench.Database;
import dev.leasehold.bench.Trial;
import dev.leasehold.bench.Variant;
import javax.sql.DataSource;

/**
 * A system of locks that can take part in every scenario that needs no more than a {@link Locker}.
 *
 * @param settings what was chosen for it
 * @param schema creates its tables
 * @param opener opens it on a pool
 */
record LockSystem(String name, String version, String settings, Schema schema, Opener opener) {
    /** Creates the tables of a system. */
    @FunctionalInterface
    interface Schema {
        void create(DataSource dataSource) throws Exception;
    }

    /** Opens a system whose tables are there. */
    @FunctionalInterface
    interface Opener {
        Locker open(DataSource dataSource) throws Exception;
    }

    /** What a scenario does with a system. */
    @FunctionalInterface
    interface Play {
        Trial open(Nodes nodes, Variant variant) throws Exception;
    }

    /** The same by another name. */
    LockSystem named(String other) {
        return new LockSystem(other, version, settings, schema, opener);
    }

    Contender in(Play play) {
        return Contender.of(name, version, settings, (bench, variant) -> play.open(Nodes.of(this, bench), variant));
    }

    /** A schema with the tables of the system, where nodes of it can be opened, each with connections of its own. */
    static final class Nodes implements AutoCloseable {
        private final LockSystem system;
        private final Bench bench;
        private final Database database;
        private final String schema;

        private Nodes(LockSystem system, Bench bench) {
            this.system = system;
            this.bench = bench;
            this.database = bench.database();
            this.schema = database.newSchema();
        }

        static Nodes of(LockSystem system, Bench bench) throws Exception {
            Nodes nodes = new Nodes(system, bench);
            try (HikariDataSource pool = nodes.pool(1)) {
                system.schema().create(pool);
            }
            return nodes;
        }

        LockSystem system() {
            return system;
        }

        Bench bench() {
            return bench;
        }

        Database database() {
            return database;
        }

        String schema() {
            return schema;
        }

        HikariDataSource pool(int connections) {
            return database.pool(schema, connections);
        }

        /** A node with as many connections as every system gets. */
        Node open() throws Exception {
            return open(Bench.CONNECTIONS);
        }

        Node open(int connections) throws Exception {
            HikariDataSource pool = pool(connections);
            return new Node(system.opener().open(pool), pool);
        }

        @Override
        public void close() {
            database.dropSchema(schema);
        }
    }

    /** One process's worth of a system. */
    record Node(Locker locker, HikariDataSource pool) implements AutoCloseable {
        @Override
        public void close() {
            try (pool) {
                locker.close();
            }
        }
    }
}
