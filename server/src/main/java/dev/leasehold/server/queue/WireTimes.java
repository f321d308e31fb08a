package dev.leasehold.server.queue;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.leasehold.queue.QueueException;
import java.time.Instant;

/** Converts instants of messages. */
final class WireTimes {
    /** The zero time of Go: 0001-01-01T00:00:00Z. */
    static final Timestamp NONE =
            Timestamp.newBuilder().setSeconds(-62_135_596_800L).build();

    private WireTimes() {}

    static Timestamp of(Instant instant) {
        return Timestamp.newBuilder()
                .setSeconds(instant.getEpochSecond())
                .setNanos(instant.getNano())
                .build();
    }

    static Instant instant(String field, Timestamp timestamp) {
        if (!Timestamps.isValid(timestamp)) {
            throw QueueException.invalidArgument(field + " is invalid; expected a time between the years 1 and 9999");
        }
        return Instant.ofEpochSecond(timestamp.getSeconds(), timestamp.getNanos());
    }
}
