package dev.leasehold.postgres.lock;

import dev.leasehold.testkit.SuiteFixture;
import dev.leasehold.testkit.lock.LockContracts;
import org.junit.platform.suite.api.ConfigurationParameter;

/** PostgreSQL keeps the lock contract. */
@LockContracts
@ConfigurationParameter(key = SuiteFixture.FIXTURE, value = "dev.leasehold.postgres.lock.PostgresFixture")
class PostgresLockContractsTest {}
