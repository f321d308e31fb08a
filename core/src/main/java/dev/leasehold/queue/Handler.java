package dev.leasehold.queue;

/**
 * What a consumer does with each item.
 *
 * @param <T> the type of the payload
 */
@FunctionalInterface
public interface Handler<T> {
    /**
     * Works on one item. Returning completes it; an exception has it retried, as the consumer's {@link RetryRules} say. The lease is
     * extended while this runs.
     */
    void handle(Work<T> work) throws Exception;
}
