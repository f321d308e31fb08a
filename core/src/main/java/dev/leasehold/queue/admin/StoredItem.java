package dev.leasehold.queue.admin;

import dev.leasehold.queue.QueueRules;
import dev.leasehold.queue.item.ItemId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An item as it lies in its store, for operators.
 *
 * @param id its id; null for an item that is to be imported
 * @param sourceId the id that it had in the queue it came from as a dead letter; null if it did not, as is empty
 * @param leaseDeadline when its lease ends; null if it is not leased
 * @param expireDeadline when it goes although nobody has completed it, {@link #NEVER} if it does not; null on import: the queue's expire timeout from now
 * @param createdAt when it was produced
 * @param enqueueAt when it becomes ready; null if it is ready or leased
 */
@SuppressWarnings("ArrayRecordComponent") // copying every payload to be safe would cost more than it saves
public record StoredItem(
        @Nullable ItemId id,
        @Nullable String sourceId,
        boolean isLeased,
        @Nullable Instant leaseDeadline,
        @Nullable Instant expireDeadline,
        @Nullable Instant createdAt,
        @Nullable Instant enqueueAt,
        int attempts,
        int maxAttempts,
        String reference,
        String encoding,
        String kind,
        byte[] payload) {
    /** The expire deadline of items that never expire: the last second that every client can hold. */
    public static final Instant NEVER = Instant.parse("9999-12-31T23:59:59Z");

    public StoredItem {
        QueueRules.text("encoding", encoding);
        QueueRules.text("kind", kind);
        QueueRules.text("reference", reference);
        QueueRules.text("source_id", sourceId == null ? "" : sourceId);
        sourceId = sourceId == null || sourceId.isEmpty() ? null : sourceId;
    }

    /** About how many bytes it takes. */
    public long weight() {
        return QueueBounds.weight(payload, reference, encoding, kind, sourceId == null ? "" : sourceId);
    }

    /** An item to import, not leased. */
    public static StoredItem of(byte[] payload) {
        return new StoredItem(null, null, false, null, null, null, null, 0, 0, "", "", "", payload);
    }
}
