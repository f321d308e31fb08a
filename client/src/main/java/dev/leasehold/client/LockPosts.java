package dev.leasehold.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.leasehold.GoDuration;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.LockListing;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.Extension;
import java.time.Duration;

/** The calls of the native lock door. */
final class LockPosts {
    private LockPosts() {}

    /** Repeatable, because it names the lock id: a second one is the same grant. */
    static Post acquire(AcquireAttempt attempt, Duration wait) {
        ObjectNode body = object().put("key", attempt.key().value())
                .put("ttl", GoDuration.format(attempt.ttl()))
                .put("wait", GoDuration.format(wait))
                .put("lock_id", attempt.lockId().value());
        Holder holder = attempt.holder();
        if (holder != null) {
            body.put("owner", holder.owner()).put("instance_id", holder.instanceId());
        }
        return post("acquire", body).repeatable().parked(wait);
    }

    static Post release(LockId lockId) {
        return post("release", object().put("lock_id", lockId.value())).repeatable();
    }

    static Post extend(Extension extension) {
        return post(
                        "extend",
                        object().put("lock_id", extension.lockId().value())
                                .put("ttl", GoDuration.format(extension.ttl())))
                .repeatable();
    }

    static Post isLocked(LockKey key) {
        return post("is_locked", object().put("key", key.value())).repeatable();
    }

    static Post lookup(LockKey key) {
        return post("lookup", object().put("key", key.value())).repeatable();
    }

    static Post lookup(LockId lockId) {
        return post("lookup", object().put("lock_id", lockId.value())).repeatable();
    }

    static Post list(LockListing listing) {
        return post(
                        "list",
                        object().put("prefix", listing.prefix())
                                .put("pivot", listing.pivot())
                                .put("limit", listing.limit()))
                .repeatable();
    }

    static Post forceRelease(LockKey key, Fence fence, String reason) {
        return post(
                "force_release",
                object().put("key", key.value()).put("fence", fence.toString()).put("reason", reason));
    }

    /** Not repeatable: a second one would be added too. */
    static Post renewHeld(LockKey key, Holder holder, Duration more) {
        return post("renew_held", held(key, holder).put("more", GoDuration.format(more)));
    }

    static Post releaseHeld(LockKey key, Holder holder) {
        return post("release_held", held(key, holder)).repeatable();
    }

    private static ObjectNode held(LockKey key, Holder holder) {
        return object().put("key", key.value()).put("owner", holder.owner()).put("instance_id", holder.instanceId());
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static Post post(String verb, ObjectNode body) {
        try {
            return Post.of("/v1/lock." + verb, Answer.JSON, LockAnswers.JSON.writeValueAsBytes(body));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an object of texts and numbers can be written", e);
        }
    }
}
