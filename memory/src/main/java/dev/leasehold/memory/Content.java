package dev.leasehold.memory;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.admin.StoredItem;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What of an item stays as it is, whatever place and id it has in its queue. */
@SuppressWarnings("ArrayRecordComponent") // nobody writes into payloads
record Content(
        @Nullable String sourceId,
        Instant createdAt,
        Instant expireDeadline,
        int maxAttempts,
        String reference,
        String encoding,
        String kind,
        byte[] payload) {
    static Content of(NewItem item, Instant now, Duration expireTimeout) {
        return new Content(
                null,
                now,
                Deadlines.expiry(now, expireTimeout),
                0,
                item.reference(),
                item.encoding(),
                item.kind(),
                item.payload());
    }

    static Content of(StoredItem item, Instant now, Duration expireTimeout) {
        Instant given = item.expireDeadline();
        return new Content(
                item.sourceId(),
                now,
                given == null ? Deadlines.expiry(now, expireTimeout) : given,
                item.maxAttempts(),
                item.reference(),
                item.encoding(),
                item.kind(),
                item.payload());
    }

    /** The same as a dead letter that comes from the item {@code sourceId}. */
    Content deadLetter(String sourceId, Instant now, Duration expireTimeout) {
        return new Content(sourceId, now, Deadlines.expiry(now, expireTimeout), 0, reference, encoding, kind, payload);
    }
}
