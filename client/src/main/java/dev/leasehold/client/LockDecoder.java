package dev.leasehold.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockEvent.Reason;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.admin.ListedLock;
import dev.leasehold.lock.direct.HolderLocks.HeldBy;
import dev.leasehold.lock.direct.HolderLocks.Release;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Locked;
import dev.leasehold.lock.spi.ExtendResult;
import dev.leasehold.lock.spi.ExtendResult.Extended;
import dev.leasehold.lock.spi.ExtendResult.Gone;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.spi.GoDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decodes successful replies of the native lock API. */
final class LockDecoder {
    /** The API does not return when a lock expires. Waiting calls wait at the server; others may try again after this. */
    static final Locked LOCKED = new Locked(Duration.ofSeconds(1));

    private LockDecoder() {}

    static AcquireResult acquired(HttpReply reply) {
        JsonNode body = LockReplies.body(reply, "acquired");
        return body.path("acquired").asBoolean()
                ? new Granted(
                        LockId.of(text(body, "lock_id")),
                        fence(body),
                        instant(body, "acquired_at_ms"),
                        instant(body, "expires_at_ms"))
                : LOCKED;
    }

    /**
     * A repeated release that finds nothing counts as done: only the holder knows the lock id, so the first attempt, whose reply was
     * lost, has ended the grant. If the grant had ended before that, its handle knows.
     */
    static ReleaseResult released(HttpReply reply) {
        JsonNode body = LockReplies.body(reply, "released");
        boolean released = body.path("released").asBoolean();
        return released || reply.isRepeated() ? ReleaseResult.RELEASED : new ReleaseResult(false, reason(body));
    }

    static ExtendResult extended(HttpReply reply) {
        JsonNode body = LockReplies.body(reply, "extended");
        return body.path("extended").asBoolean()
                ? new Extended(instant(body, "expires_at_ms"))
                : new Gone(reason(body));
    }

    /** Why a lock id holds nothing; null if the server does not say. */
    private static @Nullable Reason reason(JsonNode body) {
        return switch (body.path("reason").asText()) {
            case "expired" -> Reason.EXPIRED;
            case "not-found" -> Reason.NOT_FOUND;
            default -> null;
        };
    }

    static boolean locked(HttpReply reply) {
        return LockReplies.body(reply, "locked").path("locked").asBoolean();
    }

    static Optional<LockInfo> found(HttpReply reply) {
        JsonNode lock = LockReplies.body(reply, "lock").path("lock");
        return lock.isNull()
                ? Optional.empty()
                : Optional.of(LockInfo.sanitized(
                        text(lock, "key_hash"),
                        text(lock, "lock_id_hash"),
                        instant(lock, "acquired_at_ms"),
                        instant(lock, "expires_at_ms"),
                        fence(lock),
                        holder(lock)));
    }

    static List<ListedLock> listed(HttpReply reply) {
        List<ListedLock> locks = new ArrayList<>();
        for (JsonNode lock : LockReplies.body(reply, "locks").path("locks")) {
            locks.add(new ListedLock(
                    LockKey.of(text(lock, "key")),
                    holder(lock),
                    instant(lock, "acquired_at_ms"),
                    instant(lock, "expires_at_ms"),
                    fence(lock)));
        }
        return List.copyOf(locks);
    }

    /** Who holds a lock; null if they did not say, or if the server does not tell this client which instance. */
    private static @Nullable Holder holder(JsonNode lock) {
        return lock.has("instance_id") ? Holder.of(text(lock, "owner"), text(lock, "instance_id")) : null;
    }

    static boolean forceReleased(HttpReply reply) {
        return LockReplies.body(reply, "released").path("released").asBoolean();
    }

    static Optional<HeldBy> renewed(HttpReply reply) {
        JsonNode body = LockReplies.body(reply, "renewed");
        return body.path("renewed").asBoolean()
                ? Optional.of(new HeldBy(
                        LockId.of(text(body, "lock_id")),
                        fence(body),
                        GoDuration.parse(text(body, "lease")),
                        instant(body, "acquired_at_ms"),
                        instant(body, "expires_at_ms")))
                : Optional.empty();
    }

    static Release releasedByHolder(HttpReply reply) {
        JsonNode body = LockReplies.body(reply, "released");
        if (body.path("released").asBoolean()) {
            return Release.RELEASED;
        }
        return switch (text(body, "reason")) {
            case "not_held" -> Release.NOT_HELD;
            case "locked" -> Release.HELD_BY_OTHER;
            default -> throw missing("reason");
        };
    }

    private static Fence fence(JsonNode body) {
        return Fence.parse(text(body, "fence"));
    }

    private static Instant instant(JsonNode body, String field) {
        JsonNode value = body.path(field);
        if (!value.isIntegralNumber()) {
            throw missing(field);
        }
        return Instant.ofEpochMilli(value.asLong());
    }

    private static String text(JsonNode body, String field) {
        JsonNode value = body.path(field);
        if (!value.isTextual()) {
            throw missing(field);
        }
        return value.asText();
    }

    private static LockException missing(String field) {
        return new LockException(
                LockErrorCode.INTERNAL, "The server's answer has no usable " + field + ": is it another version?");
    }
}
