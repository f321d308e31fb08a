package dev.leasehold.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.leasehold.GoDuration;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.LockListing;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.Extension;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The calls of the native lock door. */
final class LockPosts {
    private static final Pattern NAMESPACED = Pattern.compile("([a-zA-Z0-9_-]{3,64}):([a-zA-Z0-9_-]{3,64})");
    private static final Pattern PLAIN = Pattern.compile("[a-zA-Z0-9_-]{3,64}");

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

    static Post releaseByHolder(LockKey key, Holder holder) {
        Matcher parts = NAMESPACED.matcher(key.value());
        if (!parts.matches() || !PLAIN.matcher(holder.instanceId()).matches()) {
            throw LockException.invalidArgument("Over HTTP a lock is released by its holder only if its key is"
                    + " namespace:name and the instance id, the namespace and the name are 3 to 64 letters, digits,"
                    + " dashes or underscores; release it by its lock id");
        }
        String path = "/v1/" + parts.group(1) + "/lock/" + parts.group(2) + "/release";
        return json(path, object().put("instanceId", holder.instanceId())).repeatable();
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static Post post(String verb, ObjectNode body) {
        return json("/v1/lock." + verb, body);
    }

    private static Post json(String path, ObjectNode body) {
        try {
            return Post.of(path, Answer.JSON, LockAnswers.JSON.writeValueAsBytes(body));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an object of texts and numbers can be written", e);
        }
    }
}
