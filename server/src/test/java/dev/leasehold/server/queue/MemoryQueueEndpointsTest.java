package dev.leasehold.server.queue;

import dev.leasehold.testkit.QueueFixture;
import org.junit.jupiter.api.Nested;

/** The Querator API over queues in memory. */
class MemoryQueueEndpointsTest {
    @Nested
    class Produce extends ProduceTests {
        @Override
        QueueFixture newNodes() {
            return new MemoryNodes();
        }
    }

    @Nested
    class Lease extends LeaseTests {
        @Override
        QueueFixture newNodes() {
            return new MemoryNodes();
        }
    }

    @Nested
    class Inventory extends InventoryTests {
        @Override
        QueueFixture newNodes() {
            return new MemoryNodes();
        }
    }

    @Nested
    class Lifecycle extends LifecycleTests {
        @Override
        QueueFixture newNodes() {
            return new MemoryNodes();
        }
    }

    @Nested
    class Retry extends RetryTests {
        @Override
        QueueFixture newNodes() {
            return new MemoryNodes();
        }
    }

    @Nested
    class Partition extends PartitionTests {
        @Override
        QueueFixture newNodes() {
            return new MemoryNodes();
        }
    }

    @Nested
    class Storage extends StorageTests {
        @Override
        QueueFixture newNodes() {
            return new MemoryNodes();
        }
    }

    @Nested
    class Admin extends AdminTests {
        @Override
        QueueFixture newNodes() {
            return new MemoryNodes();
        }
    }

    @Nested
    class AdminErrors extends AdminErrorsTests {
        @Override
        QueueFixture newNodes() {
            return new MemoryNodes();
        }
    }

    @Nested
    class ItemErrors extends ItemErrorsTests {
        @Override
        QueueFixture newNodes() {
            return new MemoryNodes();
        }
    }

    @Nested
    class UpdateBehaviour extends UpdateBehaviourTests {
        @Override
        QueueFixture newNodes() {
            return new MemoryNodes();
        }
    }

    @Nested
    class Restart extends RestartTests {
        @Override
        QueueFixture newNodes() {
            return new MemoryNodes();
        }
    }
}
