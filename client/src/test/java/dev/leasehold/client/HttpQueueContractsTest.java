package dev.leasehold.client;

import dev.leasehold.testkit.QueueFixture;
import dev.leasehold.testkit.queue.CancellationContract;
import dev.leasehold.testkit.queue.ClearContract;
import dev.leasehold.testkit.queue.CompleteContract;
import dev.leasehold.testkit.queue.ConfigErrorsContract;
import dev.leasehold.testkit.queue.ConsumerCloseContract;
import dev.leasehold.testkit.queue.ConsumerContract;
import dev.leasehold.testkit.queue.DeadQueueContract;
import dev.leasehold.testkit.queue.ErrorsContract;
import dev.leasehold.testkit.queue.ExtendContract;
import dev.leasehold.testkit.queue.HistoryContract;
import dev.leasehold.testkit.queue.KnownDefectsContract;
import dev.leasehold.testkit.queue.KnownHangsContract;
import dev.leasehold.testkit.queue.KnownMixupsContract;
import dev.leasehold.testkit.queue.LeaseContract;
import dev.leasehold.testkit.queue.LifecycleContract;
import dev.leasehold.testkit.queue.LifecycleOfNodeContract;
import dev.leasehold.testkit.queue.PartitionContract;
import dev.leasehold.testkit.queue.ProduceContract;
import dev.leasehold.testkit.queue.QueueAdminContract;
import dev.leasehold.testkit.queue.QueueListContract;
import dev.leasehold.testkit.queue.RetryContract;
import dev.leasehold.testkit.queue.ScheduledContract;
import dev.leasehold.testkit.queue.SeveralNodesContract;
import dev.leasehold.testkit.queue.StatsContract;
import dev.leasehold.testkit.queue.StorageContract;
import dev.leasehold.testkit.queue.UpdateBehaviourContract;
import dev.leasehold.testkit.queue.WakeUpContract;
import org.junit.jupiter.api.Nested;

/** Queues over HTTP keep the queue contract: one server, in memory. */
class HttpQueueContractsTest {
    private static QueueFixture servers() {
        return new HttpQueueFixture(new MemoryQueueEngine());
    }

    @Nested
    class QueueAdmin extends QueueAdminContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class QueueList extends QueueListContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
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
    class Extend extends ExtendContract {
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
    class DeadQueue extends DeadQueueContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class UpdateBehaviour extends UpdateBehaviourContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Partition extends PartitionContract {
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
    class Clear extends ClearContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Stats extends StatsContract {
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
    class Errors extends ErrorsContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class ConfigErrors extends ConfigErrorsContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class LifecycleOfNode extends LifecycleOfNodeContract {
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
    class Consumer extends ConsumerContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class ConsumerClose extends ConsumerCloseContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class KnownDefects extends KnownDefectsContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class KnownHangs extends KnownHangsContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class KnownMixups extends KnownMixupsContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class History extends HistoryContract {
        @Override
        protected QueueFixture newFixture() {
            return servers();
        }
    }
}
