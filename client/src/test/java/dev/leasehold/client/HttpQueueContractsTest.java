package dev.leasehold.client;

import dev.leasehold.testkit.SuiteFixture;
import dev.leasehold.testkit.queue.QueueContracts;
import org.junit.platform.suite.api.ConfigurationParameter;

/** Queues over HTTP keep the queue contract: one server, in memory. */
@QueueContracts
@ConfigurationParameter(key = SuiteFixture.FIXTURE, value = "dev.leasehold.client.HttpQueueFixture")
class HttpQueueContractsTest {}
