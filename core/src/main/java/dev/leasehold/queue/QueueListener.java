package dev.leasehold.queue;

import java.time.Duration;

/**
 * Receives what this node does with items: calls that ended, handlers that returned, and items that became dead letters or were discarded.
 *
 * <p>It is called in the thread that completed the call or ran the handler, so it must be quick. Exceptions that it throws are logged at
 * debug level and ignored. {@code elapsed} is the time from the call until its result, waiting included. Calls that were cancelled are not
 * reported. Over HTTP the server moves items to dead queues and discards them, so a client is not told of those.
 */
@FunctionalInterface
public interface QueueListener {
    /**
     * Items were deleted although nobody has completed them, because their queue has no dead queue. Items that people delete or clear, with
     * or without their queue, are not reported.
     */
    void onDiscarded(DiscardedItems discarded);

    /** Items were produced. Those of a caller's transaction are reported when it has committed. */
    default void onProduced(String queue, int items, Duration elapsed) {}

    /** A lease request has ended: with items, or with none because none was ready in time. */
    default void onLeased(String queue, int items, Duration elapsed) {}

    /** Items were completed. Those that a caller completes with a connection of its own are not reported: only it knows the outcome. */
    default void onCompleted(String queue, int items, Duration elapsed) {}

    /** Items were returned to their queue to be leased again, at once or later. */
    default void onRetried(String queue, int items, Duration elapsed) {}

    /**
     * Items were moved to the dead queue of their queue: they were buried, or had no attempts or no time left.
     *
     * @param queue the queue that they came from
     */
    default void onDeadLettered(String queue, int items) {}

    /**
     * A call has failed.
     *
     * @param operation {@code produce}, {@code lease}, {@code complete} or {@code retry}
     */
    default void onFailed(String queue, String operation, QueueException failure, Duration elapsed) {}

    /** A handler has returned. Its items are completed next, unless it decided otherwise. */
    default void onHandled(String queue, int items, Duration elapsed) {}

    /** A handler has thrown, or has run into its timeout. Its items are retried or buried next, as the retry rules say. */
    default void onHandlerFailed(String queue, int items, Throwable failure, Duration elapsed) {}
}
