package dev.leasehold.postgres.queue;

import dev.leasehold.queue.internal.Ksuid;
import org.jspecify.annotations.Nullable;

/**
 * Source ids as they are stored. A statement that makes a dead letter knows its item by number, so ids are stored as "=" and the
 * hexadecimal digits of their bytes; any other text as it is, with another "=" before one that begins so.
 */
final class SourceIds {
    private static final String MARK = "=";

    private SourceIds() {}

    static @Nullable String write(@Nullable String sourceId) {
        if (sourceId == null || sourceId.isEmpty()) {
            return null;
        }
        if (Ksuid.whatIsWrongWith(sourceId).isEmpty()) {
            return MARK + Ksuid.toHex(sourceId);
        }
        return sourceId.startsWith(MARK) ? MARK + sourceId : sourceId;
    }

    static @Nullable String read(@Nullable String stored) {
        if (stored == null || !stored.startsWith(MARK)) {
            return stored;
        }
        return stored.startsWith(MARK + MARK) ? stored.substring(1) : Ksuid.fromHex(stored.substring(1));
    }
}
