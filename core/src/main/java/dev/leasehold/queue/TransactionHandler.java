package dev.leasehold.queue;

import java.sql.Connection;

/**
 * What a consumer does with each item, in a transaction that also completes it.
 *
 * @param <T> the type of the payload
 */
@FunctionalInterface
public interface TransactionHandler<T> {
    /**
     * Works on one item in the open transaction of {@code connection}. Do not commit, roll back or close it: when this returns, the
     * item is completed in the same transaction, and it commits. An exception rolls it back and has the item retried.
     */
    void handle(Connection connection, Work<T> work) throws Exception;
}
