package dev.leasehold.chaos.history;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * The beginning or the end of one call.
 *
 * @param sequence the place in its file, or in the merged history
 * @param call the number of the call on its node: its two events have the same
 * @param nanos {@link System#nanoTime()}, which on Linux counts alike in all processes of a machine (under faketime only if it is
 *     told to leave the monotonic clock alone)
 * @param node the process: a name that no other process of the run has, nor had before
 * @param worker who in that process; makes one call at a time
 * @param subject a key, a queue, or the name of a fault
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Event(
        long sequence,
        long call,
        Kind kind,
        long nanos,
        String node,
        String worker,
        Operation operation,
        String subject,
        Facts facts) {
    @SuppressWarnings("NullAway") // a field that is not in the file is null
    public Event {
        facts = facts == null ? Facts.NONE : facts;
    }

    /** This event at another place. */
    public Event at(long sequence) {
        return new Event(sequence, call, kind, nanos, node, worker, operation, subject, facts);
    }
}
