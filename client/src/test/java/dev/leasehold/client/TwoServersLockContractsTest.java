package dev.leasehold.client;

import dev.leasehold.lock.Capabilities;
import dev.leasehold.testkit.LockFixture;
import dev.leasehold.testkit.lock.AsyncContract;
import dev.leasehold.testkit.lock.CancellationContract;
import dev.leasehold.testkit.lock.ConcurrencyContract;
import dev.leasehold.testkit.lock.ContentionContract;
import dev.leasehold.testkit.lock.ErrorsContract;
import dev.leasehold.testkit.lock.ExpirationContract;
import dev.leasehold.testkit.lock.FenceContract;
import dev.leasehold.testkit.lock.HandleContract;
import dev.leasehold.testkit.lock.HolderContract;
import dev.leasehold.testkit.lock.HolderLocksContract;
import dev.leasehold.testkit.lock.LifecycleContract;
import dev.leasehold.testkit.lock.LockAdminContract;
import dev.leasehold.testkit.lock.LookupContract;
import dev.leasehold.testkit.lock.OwnershipContract;
import dev.leasehold.testkit.lock.RenewalContract;
import dev.leasehold.testkit.lock.RetryContract;
import dev.leasehold.testkit.lock.TelemetryContract;
import dev.leasehold.testkit.lock.WaitingContract;
import org.junit.jupiter.api.Nested;

/** Two server processes on one database keep the lock contract, with calls alternating between them. */
class TwoServersLockContractsTest {
    private static LockFixture servers() {
        return new TwoProcessLockFixture();
    }

    @Nested
    class Lifecycle extends LifecycleContract {
        @Override
        protected LockFixture newFixture() {
            return servers();
        }

        @Override
        protected Capabilities capabilities() {
            return new Capabilities("http", true, Capabilities.TimeAuthority.SERVER);
        }
    }

    @Nested
    class Contention extends ContentionContract {
        @Override
        protected LockFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Expiration extends ExpirationContract {
        @Override
        protected LockFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Fence extends FenceContract {
        @Override
        protected LockFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Ownership extends OwnershipContract {
        @Override
        protected LockFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Lookup extends LookupContract {
        @Override
        protected LockFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Errors extends ErrorsContract {
        @Override
        protected LockFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Cancellation extends CancellationContract {
        @Override
        protected LockFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Holder extends HolderContract {
        @Override
        protected LockFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class HolderLocks extends HolderLocksContract {
        @Override
        protected LockFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Waiting extends WaitingContract {
        @Override
        protected LockFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Retry extends RetryContract {
        @Override
        protected LockFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Handle extends HandleContract {
        @Override
        protected LockFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Renewal extends RenewalContract {
        @Override
        protected LockFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Telemetry extends TelemetryContract {
        @Override
        protected LockFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Concurrency extends ConcurrencyContract {
        @Override
        protected LockFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class Async extends AsyncContract {
        @Override
        protected LockFixture newFixture() {
            return servers();
        }
    }

    @Nested
    class LockAdmin extends LockAdminContract {
        @Override
        protected LockFixture newFixture() {
            return servers();
        }
    }
}
