package dev.leasehold.server.queue;

import dev.leasehold.testkit.QueueFixture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The Querator API over PostgreSQL. */
@Tag("slow")
class PostgresQueueEndpointsTest {
    @Nested
    class Produce extends ProduceTests {
        @Override
        QueueFixture newNodes() {
            return new PostgresNodes();
        }
    }

    @Nested
    class Lease extends LeaseTests {
        @Override
        QueueFixture newNodes() {
            return new PostgresNodes();
        }
    }

    @Nested
    class Inventory extends InventoryTests {
        @Override
        QueueFixture newNodes() {
            return new PostgresNodes();
        }
    }

    @Nested
    class Lifecycle extends LifecycleTests {
        @Override
        QueueFixture newNodes() {
            return new PostgresNodes();
        }
    }

    @Nested
    class Retry extends RetryTests {
        @Override
        QueueFixture newNodes() {
            return new PostgresNodes();
        }
    }

    @Nested
    class Partition extends PartitionTests {
        @Override
        QueueFixture newNodes() {
            return new PostgresNodes();
        }
    }

    @Nested
    class Storage extends StorageTests {
        @Override
        QueueFixture newNodes() {
            return new PostgresNodes();
        }
    }

    @Nested
    class Admin extends AdminTests {
        @Override
        QueueFixture newNodes() {
            return new PostgresNodes();
        }
    }

    @Nested
    class AdminErrors extends AdminErrorsTests {
        @Override
        QueueFixture newNodes() {
            return new PostgresNodes();
        }
    }

    @Nested
    class ItemErrors extends ItemErrorsTests {
        @Override
        QueueFixture newNodes() {
            return new PostgresNodes();
        }
    }

    @Nested
    class UpdateBehaviour extends UpdateBehaviourTests {
        @Override
        QueueFixture newNodes() {
            return new PostgresNodes();
        }
    }

    @Nested
    class Restart extends RestartTests {
        @Override
        QueueFixture newNodes() {
            return new PostgresNodes();
        }
    }
}
