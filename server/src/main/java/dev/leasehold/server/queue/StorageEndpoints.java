package dev.leasehold.server.queue;

import static dev.leasehold.server.auth.Permission.QUEUES_ADMIN;

import dev.leasehold.queue.QueueRules;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.ItemAdmin;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.server.http.Request;
import dev.leasehold.server.http.Response;
import dev.leasehold.wire.StorageItem;
import dev.leasehold.wire.StorageItemsDeleteRequest;
import dev.leasehold.wire.StorageItemsImportRequest;
import dev.leasehold.wire.StorageItemsImportResponse;
import dev.leasehold.wire.StorageItemsListRequest;
import dev.leasehold.wire.StorageItemsListResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/** Items as they lie in their partitions, for operators: {@code POST /v1/storage/*}. */
public final class StorageEndpoints {
    private final QueueLookup lookup;
    private final ResponseEncoder encoder;

    public StorageEndpoints(Queues queues, ResponseEncoder encoder) {
        this.lookup = new QueueLookup(queues);
        this.encoder = encoder;
    }

    public CompletableFuture<Response> list(Request request) {
        return list(request, ItemAdmin::listAsync);
    }

    public CompletableFuture<Response> listScheduled(Request request) {
        return list(request, ItemAdmin::listScheduledAsync);
    }

    private CompletableFuture<Response> list(
            Request request, BiFunction<ItemAdmin, ItemListing, CompletableFuture<List<StoredItem>>> call) {
        StorageItemsListRequest wish = MessageCodec.read(request, StorageItemsListRequest.getDefaultInstance());
        return lookup.find(request, wish.getQueueName(), QUEUES_ADMIN)
                .thenCompose(queue ->
                        lookup.at(queue, wish.getPartition(), () -> call.apply(queue.admin(), FromWire.listing(wish))))
                .thenCompose(items -> encoder.write(
                        request,
                        weight(items),
                        () -> StorageItemsListResponse.newBuilder()
                                .addAllItems(ToWire.items(items))
                                .build()));
    }

    private static long weight(List<StoredItem> items) {
        return items.stream().mapToLong(StoredItem::weight).sum();
    }

    public CompletableFuture<Response> importItems(Request request) {
        StorageItemsImportRequest wish =
                MessageCodec.read(request, StorageItemsImportRequest.getDefaultInstance(), QueueRules::importBatch);
        int partition = wish.getPartition();
        return lookup.find(request, wish.getQueueName(), QUEUES_ADMIN)
                .thenCompose(queue -> lookup.at(
                        queue,
                        partition,
                        () -> queue.admin().importItemsAsync(partition, FromWire.items(wish.getItemsList()))))
                .thenCompose(items -> encoder.write(request, weight(items), () -> imported(wish, items)));
    }

    /** A lease deadline that came with an item that is not leased is told back, as Querator does; it means nothing. */
    private static StorageItemsImportResponse imported(StorageItemsImportRequest wish, List<StoredItem> items) {
        StorageItemsImportResponse.Builder response = StorageItemsImportResponse.newBuilder();
        for (int i = 0; i < items.size(); i++) {
            StorageItem.Builder item = ToWire.item(items.get(i));
            StorageItem given = wish.getItems(i);
            if (!given.getIsLeased() && given.hasLeaseDeadline()) {
                item.setLeaseDeadline(given.getLeaseDeadline());
            }
            response.addItems(item);
        }
        return response.build();
    }

    public CompletableFuture<Response> delete(Request request) {
        StorageItemsDeleteRequest wish = MessageCodec.read(request, StorageItemsDeleteRequest.getDefaultInstance());
        int partition = wish.getPartition();
        return lookup.find(request, wish.getQueueName(), QUEUES_ADMIN)
                .thenCompose(queue -> lookup.at(queue, partition, () -> {
                    QueueRules.deleteBatch(wish.getIdsCount());
                    return queue.admin().deleteAsync(partition, FromWire.ids(wish.getIdsList()));
                }))
                .thenApply(done -> MessageCodec.ok(request));
    }
}
