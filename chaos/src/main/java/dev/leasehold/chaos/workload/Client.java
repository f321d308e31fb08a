package dev.leasehold.chaos.workload;

import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.lock.Locks;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.queue.Queues;
import java.util.Random;
import javax.sql.DataSource;

/**
 * What a worker works with.
 *
 * @param prefix what the names of all keys and queues of this round begin with
 * @param impatientLocks locks whose calls fail so soon that some have an unknown outcome
 * @param business connections for the worker's own transactions in the first store
 * @param isOver whether to stop
 */
record Client(
        String node,
        String prefix,
        Recorder recorder,
        Locks locks,
        Locks impatientLocks,
        Queues queues,
        DataSource business,
        Over isOver,
        long seed) {

    /** Whether the run is over. */
    @FunctionalInterface
    interface Over {
        boolean get();
    }

    /** The dice of one worker. */
    Random random(int worker) {
        return new Random(seed * 31 + worker);
    }

    /** Which of the clients of a run it is, from 0. */
    int number() {
        return (int) (seed % 1000);
    }

    /** Whether transactions can take part: in the library, not over HTTP. */
    boolean isLibrary() {
        return queues instanceof PostgresQueues;
    }

    PostgresLocks libraryLocks() {
        return (PostgresLocks) locks;
    }

    PostgresQueues libraryQueues() {
        return (PostgresQueues) queues;
    }
}
