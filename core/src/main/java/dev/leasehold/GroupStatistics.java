package dev.leasehold;

/**
 * What an engine has sent to its database since it was opened. The ratio of the two is the average group size.
 *
 * @param calls calls, those that were sent again included
 * @param messages the messages that carried them
 */
public record GroupStatistics(long calls, long messages) {

    /** An engine that batches calls. */
    public interface Source {
        /** What has been sent so far. */
        GroupStatistics statistics();
    }
}
