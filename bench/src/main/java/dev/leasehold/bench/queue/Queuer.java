package dev.leasehold.bench.queue;

import java.time.Duration;
import java.util.List;

/** One node of a queue, of whatever system, reduced to what the scenarios need. Safe for use by many threads. */
interface Queuer extends AutoCloseable {
    /** Produces items; returns when they are committed. */
    void produce(List<byte[]> payloads) throws Exception;

    /** The same for so long from now. */
    void produceLater(List<byte[]> payloads, Duration delay) throws Exception;

    /**
     * Starts to work what comes, and goes on until it is stopped.
     *
     * @param batch how many items to take at a time, where that can be said
     */
    void work(Hands hands, int batch) throws Exception;

    /** Works no more. Called when all that was produced is completed. */
    void stop();

    @Override
    void close();

    /** Those who work the items. Safe for use by many threads. */
    interface Hands {
        /** An item has arrived. */
        void took(byte[] payload);

        /** Items are completed, and that is committed. */
        void done(List<byte[]> payloads);

        /** Nothing more will come, for this reason. */
        void fail(Throwable reason);
    }
}
