package dev.leasehold.chaos.history;

/**
 * How a queue was set up, as far as a checker must know.
 *
 * @param maxAttempts zero means any number
 * @param deadQueue empty: none
 * @param expireNanos how long an item may stay
 */
public record QueueFacts(int maxAttempts, String deadQueue, long expireNanos) {
    public boolean hasDeadQueue() {
        return !deadQueue.isEmpty();
    }
}
