package dev.leasehold.postgres.queue;

import dev.leasehold.testkit.SuiteFixture;
import dev.leasehold.testkit.queue.QueueContracts;
import org.junit.platform.suite.api.ConfigurationParameter;

/** PostgreSQL keeps the queue contract. */
@QueueContracts
@ConfigurationParameter(key = SuiteFixture.FIXTURE, value = "dev.leasehold.postgres.queue.PostgresQueueFixture")
class PostgresQueueContractsTest {}
