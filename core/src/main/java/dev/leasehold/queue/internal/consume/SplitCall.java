package dev.leasehold.queue.internal.consume;

import dev.leasehold.queue.QueueException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call for many items, which the store carries out for all or none.
 *
 * <p>If it fails because of one item, its halves are called instead, and theirs, until that item is alone: so a lost lease
 * never stands in the way of its neighbours, and finding it among n items takes about 2 log n calls.
 */
final class SplitCall<T> {
    private final ConsumerLoop loop;
    private final Function<List<HeldItem>, CompletableFuture<T>> call;
    private final Report report;
    private int open;
    private @Nullable QueueException trouble;

    private SplitCall(ConsumerLoop loop, Function<List<HeldItem>, CompletableFuture<T>> call, Report report) {
        this.loop = loop;
        this.call = call;
        this.report = report;
    }

    static <T> void send(
            ConsumerLoop loop,
            List<HeldItem> items,
            Function<List<HeldItem>, CompletableFuture<T>> call,
            Report report) {
        new SplitCall<>(loop, call, report).send(items);
    }

    private void send(List<HeldItem> items) {
        open++;
        loop.call(() -> call.apply(items), (result, why) -> answered(items, why));
    }

    private void answered(List<HeldItem> items, @Nullable QueueException why) {
        open--;
        if (why == null) {
            report.done(items);
        } else if (!RetryBackoff.isOfOneItem(why)) {
            trouble = why;
            report.failed(items, why);
        } else if (items.size() == 1) {
            report.refused(items.get(0), why);
        } else {
            send(items.subList(0, items.size() / 2));
            send(items.subList(items.size() / 2, items.size()));
        }
        if (open == 0) {
            report.over(trouble);
        }
    }

    /** Hears what became of each item, and then that all have been heard of. */
    interface Report {
        void done(List<HeldItem> items);

        /** This one item cannot be helped; mostly because its lease is lost. */
        void refused(HeldItem item, QueueException why);

        /** The store is in trouble; it has nothing to do with the items. */
        void failed(List<HeldItem> items, QueueException why);

        /** All parts are answered; {@code trouble} is null if none of them failed for trouble of the store. */
        void over(@Nullable QueueException trouble);
    }
}
