package dev.leasehold.queue;

import java.util.List;

/** Runs around produce and handle of a {@link Queue}: for tracing, logging contexts, encryption and the like. */
public interface QueueInterceptor {
    /** Called for each item before it is produced; returns what is produced. An exception fails the produce. */
    default NewItem onProduce(String queue, NewItem item) {
        return item;
    }

    /**
     * Called in the handler's thread, around the handler. An exception counts as the handler's.
     *
     * @param batch what it works on: one item, or those of a batch
     */
    default void aroundHandle(String queue, List<? extends Work<?>> batch, Invocation handler) throws Exception {
        handler.proceed();
    }

    /** The rest of a call: further interceptors, and the handler. */
    @FunctionalInterface
    interface Invocation {
        /** Goes on: runs what is inside. */
        void proceed() throws Exception;
    }
}
