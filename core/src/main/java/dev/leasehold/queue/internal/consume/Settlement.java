package dev.leasehold.queue.internal.consume;

import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** How a leased item ends, and the call that ends many of them so. */
enum Settlement {
    COMPLETE {
        @Override
        CompletableFuture<Void> send(ItemQueue queue, int partition, List<HeldItem> items) {
            return queue.completeAsync(partition, ids(items));
        }
    },
    RETRY {
        @Override
        CompletableFuture<Void> send(ItemQueue queue, int partition, List<HeldItem> items) {
            return queue.retryAsync(
                    partition, items.stream().map(HeldItem::retry).toList());
        }
    },
    GIVE_BACK {
        @Override
        CompletableFuture<Void> send(ItemQueue queue, int partition, List<HeldItem> items) {
            return queue.giveBackAsync(partition, ids(items));
        }
    };

    abstract CompletableFuture<Void> send(ItemQueue queue, int partition, List<HeldItem> items);

    static List<ItemId> ids(List<HeldItem> items) {
        return items.stream().map(HeldItem::id).toList();
    }
}
