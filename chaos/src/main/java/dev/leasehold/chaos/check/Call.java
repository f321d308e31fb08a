package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import org.jspecify.annotations.Nullable;

/**
 * A call from its invocation to its end. What it did, it did in between; if its end is not known, at any time after its invocation.
 *
 * @param end null if the process did not live to tell
 */
record Call(Event invoke, @Nullable Event end) {
    Operation operation() {
        return invoke.operation();
    }

    String subject() {
        return invoke.subject();
    }

    boolean isOk() {
        return end != null && end.kind() == Kind.OK;
    }

    /** Whether it certainly did nothing. */
    boolean isFailed() {
        return end != null && end.kind() == Kind.FAIL;
    }

    /** Whether it may have done something: it succeeded, or nobody knows. */
    boolean maybe() {
        return !isFailed();
    }

    /** When it began; before then it did nothing. */
    long began() {
        return invoke.nanos();
    }

    /** When what it did was certainly done; never, if its end is not known. */
    long done() {
        return end != null && end.kind() != Kind.UNKNOWN ? end.nanos() : Long.MAX_VALUE;
    }

    boolean isSame(Call other) {
        return invoke.sequence() == other.invoke.sequence();
    }

    /** Whether all of it was certainly before the other began. */
    boolean isBefore(Call other) {
        return done() < other.began();
    }
}
