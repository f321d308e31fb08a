package dev.leasehold.memory;

import dev.leasehold.testkit.SuiteFixture;
import dev.leasehold.testkit.lock.LockContracts;
import org.junit.platform.suite.api.ConfigurationParameter;

/** The memory engine keeps the lock contract. */
@LockContracts
@ConfigurationParameter(key = SuiteFixture.FIXTURE, value = "dev.leasehold.memory.MemoryFixture")
class MemoryLockContractsTest {}
