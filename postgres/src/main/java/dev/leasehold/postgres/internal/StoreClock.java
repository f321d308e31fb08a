package dev.leasehold.postgres.internal;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The time that a statement is given: none, so that the database's own clock decides, unless a test brings another. */
public record StoreClock(@Nullable LongSupplier test) {
    public @Nullable Long now() {
        return test == null ? null : test.getAsLong();
    }
}
