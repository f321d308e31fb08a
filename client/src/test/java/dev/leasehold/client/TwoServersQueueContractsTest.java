package dev.leasehold.client;

import dev.leasehold.testkit.QueueFixture;
import dev.leasehold.testkit.queue.CancellationContract;
import dev.leasehold.testkit.queue.CompleteContract;
import dev.leasehold.testkit.queue.ExtendContract;
import dev.leasehold.testkit.queue.LeaseContract;
import dev.leasehold.testkit.queue.LifecycleContract;
import dev.leasehold.testkit.queue.ProduceContract;
import dev.leasehold.testkit.queue.RetryContract;
import dev.leasehold.testkit.queue.ScheduledContract;
import dev.leasehold.testkit.queue.SeveralNodesContract;
import dev.leasehold.testkit.queue.StorageContract;
import dev.leasehold.testkit.queue.WakeUpContract;
import org.junit.jupiter.api.Nested;

/** Two server processes on one database keep the queue contract, with calls alternating between them. */
class TwoServersQueueContractsTest {
    private static QueueFixture servers() {
        return new TwoProcessQueueFixture();
    }

    @Nested
    class Produce extends ProduceContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Lease extends LeaseContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Complete extends CompleteContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Retry extends RetryContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Scheduled extends ScheduledContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Lifecycle extends LifecycleContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Storage extends StorageContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class SeveralNodes extends SeveralNodesContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class WakeUp extends WakeUpContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Cancellation extends CancellationContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Extend extends ExtendContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }
}
