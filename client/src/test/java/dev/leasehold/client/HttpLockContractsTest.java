package dev.leasehold.client;

import dev.leasehold.testkit.SuiteFixture;
import dev.leasehold.testkit.lock.LockContracts;
import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.ExcludeClassNamePatterns;

/** Locks over HTTP keep the lock contract: one server, in memory. */
@LockContracts
@ExcludeClassNamePatterns(".*GiveBackContract")
@ConfigurationParameter(key = SuiteFixture.FIXTURE, value = "dev.leasehold.client.HttpLockFixture")
class HttpLockContractsTest {}
