package dev.leasehold.postgres.queue;

/** A few kills, for every build. */
class QueueKillTest extends QueueKills {
    QueueKillTest() {
        super(4);
    }
}
