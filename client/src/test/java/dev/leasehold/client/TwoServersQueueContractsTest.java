package dev.leasehold.client;

import dev.leasehold.testkit.SuiteFixture;
import dev.leasehold.testkit.queue.QueueContracts;
import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** Two server processes on one database keep the contracts of items, with calls alternating between them. */
@QueueContracts
@IncludeClassNamePatterns(
        ".*\\.(Produce|Lease|Complete|Retry|Extend|Scheduled|Lifecycle|Storage|SeveralNodes|WakeUp|Cancellation)Contract")
@ConfigurationParameter(
        key = "junit.jupiter.execution.parallel.enabled",
        value = "false") // the tests share the two processes
@ConfigurationParameter(key = SuiteFixture.FIXTURE, value = "dev.leasehold.client.TwoProcessQueueFixture")
class TwoServersQueueContractsTest {}
