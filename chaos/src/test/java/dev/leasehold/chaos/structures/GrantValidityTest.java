package dev.leasehold.chaos.structures;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.internal.Grant;
import dev.leasehold.lock.internal.GrantValidity;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import java.time.Duration;
import java.time.Instant;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Renewals whose answers cross, and the loss of the grant: the latest expiry stays, and the grant is lost once. */
@Param(name = "second", gen = IntGen.class, conf = "1:4")
@Tag("slow")
public class GrantValidityTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Granted GRANTED =
            new Granted(LockId.generate(), Fence.of(1), Instant.EPOCH, Instant.EPOCH.plus(TTL));

    private final GrantValidity validity =
            new GrantValidity(new Grant(LockKey.of("k"), GRANTED, TTL, true, false, 0, 0));

    @Operation
    public void renewed(@Param(name = "second") int second) {
        validity.renewed(second, TTL, Instant.ofEpochSecond(second).plus(TTL));
    }

    @Operation
    public boolean lose() {
        return validity.lose("taken");
    }

    @Operation
    public boolean isLost() {
        return validity.lost().isDone();
    }

    @Operation
    public long expiresAt() {
        return validity.expiresAt().getEpochSecond();
    }

    @Test
    void a_tenure_is_linearizable() {
        Structures.stress().sequentialSpecification(Lost.class).check(GrantValidityTest.class);
    }

    @Test
    @Tag("long")
    void a_tenure_is_linearizable_at_depth() {
        Structures.deepStress().sequentialSpecification(Lost.class).check(GrantValidityTest.class);
    }

    /** What a validity promises, one call after the other. */
    public static class Lost {
        private boolean lost;
        private long expiresAt = TTL.toSeconds();

        public void renewed(int second) {
            expiresAt = Math.max(expiresAt, second + TTL.toSeconds());
        }

        public boolean lose() {
            boolean first = !lost;
            lost = true;
            return first;
        }

        public boolean isLost() {
            return lost;
        }

        public long expiresAt() {
            return expiresAt;
        }
    }
}
