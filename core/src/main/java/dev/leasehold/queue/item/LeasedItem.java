package dev.leasehold.queue.item;

import dev.leasehold.queue.admin.QueueBounds;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * An item under a lease: it is the caller's until the deadline. It knows its partition and, by its id, its lease.
 *
 * @param id its id for this lease
 * @param partition where it is; complete, retry and extend find it there
 * @param attempts leases so far, this one included
 * @param leaseDeadline when the lease ends, by the store's clock, unless it is extended
 */
@SuppressWarnings("ArrayRecordComponent") // copying every payload to be safe would cost more than it saves
public record LeasedItem(
        ItemId id,
        int partition,
        int attempts,
        Instant leaseDeadline,
        String reference,
        String encoding,
        String kind,
        byte[] payload) {
    /** About how many bytes it takes. */
    public long weight() {
        return QueueBounds.weight(payload, reference, encoding, kind);
    }

    /** The payload as UTF-8. */
    public String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }
}
