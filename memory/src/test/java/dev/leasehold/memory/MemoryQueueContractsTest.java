package dev.leasehold.memory;

import dev.leasehold.testkit.SuiteFixture;
import dev.leasehold.testkit.queue.QueueContracts;
import org.junit.platform.suite.api.ConfigurationParameter;

/** The memory engine keeps the queue contract. */
@QueueContracts
@ConfigurationParameter(key = SuiteFixture.FIXTURE, value = "dev.leasehold.memory.MemoryQueueFixture")
class MemoryQueueContractsTest {}
