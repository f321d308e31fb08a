package dev.leasehold.client;

import dev.leasehold.testkit.SuiteFixture;
import dev.leasehold.testkit.lock.LockContracts;
import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.ExcludeClassNamePatterns;

/** Two server processes on one database keep the lock contract, with calls alternating between them. */
@LockContracts
@ExcludeClassNamePatterns(".*GiveBackContract")
@ConfigurationParameter(
        key = "junit.jupiter.execution.parallel.enabled",
        value = "false") // the tests share the two processes
@ConfigurationParameter(key = SuiteFixture.FIXTURE, value = "dev.leasehold.client.TwoProcessLockFixture")
class TwoServersLockContractsTest {}
