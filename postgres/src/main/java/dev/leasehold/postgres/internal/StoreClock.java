package dev.leasehold.postgres.internal;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The time for a statement: null, so that the database's clock counts, unless a test has a clock of its own. */
public record StoreClock(@Nullable LongSupplier test) {
    public @Nullable Long now() {
        return test == null ? null : test.getAsLong();
    }
}
