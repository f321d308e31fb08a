package dev.leasehold.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.admin.LockListing;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.Extension;
import dev.leasehold.spi.GoDuration;
import java.time.Duration;

/** Builds the calls of the native lock API. */
final class LockCalls {
    private LockCalls() {}

    /** Idempotent, because it carries the lock id: a second one returns the same grant. */
    static HttpCall acquire(AcquireAttempt attempt, Duration wait) {
        ObjectNode body = object().put("key", attempt.key().value())
                .put("ttl", GoDuration.format(attempt.ttl()))
                .put("wait", GoDuration.format(wait))
                .put("lock_id", attempt.lockId().value());
        Holder holder = attempt.holder();
        if (holder != null) {
            body.put("owner", holder.owner()).put("instance_id", holder.instanceId());
        }
        return call("acquire", body).repeatable().parked(wait);
    }

    static HttpCall release(LockId lockId) {
        return call("release", object().put("lock_id", lockId.value())).repeatable();
    }

    static HttpCall extend(Extension extension) {
        return call(
                        "extend",
                        object().put("lock_id", extension.lockId().value())
                                .put("ttl", GoDuration.format(extension.ttl())))
                .repeatable();
    }

    static HttpCall isLocked(LockKey key) {
        return call("is_locked", object().put("key", key.value())).repeatable();
    }

    static HttpCall lookup(LockKey key) {
        return call("lookup", object().put("key", key.value())).repeatable();
    }

    static HttpCall lookup(LockId lockId) {
        return call("lookup", object().put("lock_id", lockId.value())).repeatable();
    }

    static HttpCall list(LockListing listing) {
        return call(
                        "list",
                        object().put("prefix", listing.prefix())
                                .put("pivot", listing.pivot())
                                .put("limit", listing.limit()))
                .repeatable();
    }

    static HttpCall forceRelease(LockKey key, Fence fence, String reason) {
        return call(
                "force_release",
                object().put("key", key.value()).put("fence", fence.toString()).put("reason", reason));
    }

    /** Not idempotent: a second one would be added too. */
    static HttpCall renewHeld(LockKey key, Holder holder, Duration more) {
        return call("renew_held", held(key, holder).put("more", GoDuration.format(more)));
    }

    static HttpCall releaseHeld(LockKey key, Holder holder) {
        return call("release_held", held(key, holder)).repeatable();
    }

    private static ObjectNode held(LockKey key, Holder holder) {
        return object().put("key", key.value()).put("owner", holder.owner()).put("instance_id", holder.instanceId());
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static HttpCall call(String verb, ObjectNode body) {
        try {
            return HttpCall.of("/v1/lock." + verb, HttpReply.JSON, LockReplies.JSON.writeValueAsBytes(body));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an object of texts and numbers can be written", e);
        }
    }
}
