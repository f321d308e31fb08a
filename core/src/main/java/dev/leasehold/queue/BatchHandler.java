package dev.leasehold.queue;

import java.util.List;

/**
 * What a consumer does with items that were leased together.
 *
 * @param <T> the type of the payloads
 */
@FunctionalInterface
public interface BatchHandler<T> {
    /**
     * Works on items of one partition, in their order. Returning completes each item that was neither {@linkplain Work#retryAfter
     * retried} nor {@linkplain Work#bury buried}; an exception has all the others retried.
     */
    void handle(List<Work<T>> batch) throws Exception;
}
