package dev.leasehold.queue.internal;

import dev.leasehold.spi.Futures;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** What stores are being asked just now: nobody is told that there is nothing before the answers are there. */
final class Questions {
    private final Map<Long, CompletableFuture<Void>> open = new ConcurrentHashMap<>();
    private final AtomicLong count = new AtomicLong();

    /** A store is being asked what there is; to be completed when it has answered, whatever that was. */
    CompletableFuture<Void> ask() {
        long number = count.incrementAndGet();
        CompletableFuture<Void> question = new CompletableFuture<>();
        open.put(number, question);
        Futures.whenDone(question, (done, failure) -> open.remove(number));
        return question;
    }

    /** Done when everything that is being asked has been answered. */
    CompletableFuture<Void> answered() {
        return CompletableFuture.allOf(open.values().toArray(new CompletableFuture<?>[0]));
    }
}
