package dev.leasehold.queue.internal;

import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What is to become of a leased item, and the call that makes it so for many of them. */
enum Fate {
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
