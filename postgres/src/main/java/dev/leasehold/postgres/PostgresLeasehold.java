package dev.leasehold.postgres;

import dev.leasehold.Leasehold;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.postgres.queue.PostgresQueues;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * Locks and queues in your PostgreSQL: {@code Leasehold leasehold = PostgresLeasehold.connect(dataSource)}.
 *
 * <p>Any {@link DataSource} of pgjdbc connections will do; use a pool with at least ten connections. Connections are borrowed when they
 * are first needed, and given back when there is nothing to do.
 */
public final class PostgresLeasehold implements Leasehold {
    private final PostgresLocks locks;
    private final PostgresQueues queues;

    private PostgresLeasehold(PostgresLocks locks, PostgresQueues queues) {
        this.locks = locks;
        this.queues = queues;
    }

    /** Locks and queues with all defaults. Does no I/O. */
    public static PostgresLeasehold connect(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /** For what {@link #connect} does not say. */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    @Override
    public PostgresLocks locks() {
        return locks;
    }

    @Override
    public PostgresQueues queues() {
        return queues;
    }

    @Override
    public void migrate() {
        locks.migrate();
        queues.migrate();
    }

    @Override
    public void close() {
        try (locks) {
            queues.close();
        }
    }

    /** What can be set, with its defaults. */
    public static final class Builder {
        private final DataSource dataSource;
        private UnaryOperator<PostgresLocks.Builder> locks = UnaryOperator.identity();
        private UnaryOperator<PostgresQueues.Builder> queues = UnaryOperator.identity();
        private DataSource listenDataSource;

        private Builder(DataSource dataSource) {
            this.dataSource = dataSource;
            this.listenDataSource = dataSource;
        }

        /** Where to get the connections that listen for wake-ups: needed only if the data source leads through a pooler. */
        public Builder listenOn(DataSource direct) {
            this.listenDataSource = direct;
            return this;
        }

        /** Changes how locks work: {@code locks(builder -> builder.options(o -> o.ttl(...)))}. */
        public Builder locks(UnaryOperator<PostgresLocks.Builder> change) {
            this.locks = change;
            return this;
        }

        /** Changes how queues work: {@code queues(builder -> builder.connections(8))}. */
        public Builder queues(UnaryOperator<PostgresQueues.Builder> change) {
            this.queues = change;
            return this;
        }

        /** The locks and queues. Does no I/O. */
        public PostgresLeasehold build() {
            return new PostgresLeasehold(
                    locks.apply(PostgresLocks.builder(dataSource).listenOn(listenDataSource))
                            .build(),
                    queues.apply(PostgresQueues.builder(dataSource, listenDataSource))
                            .build());
        }
    }
}
