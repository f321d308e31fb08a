package dev.leasehold.server.lock;

import static dev.leasehold.server.auth.Permission.LOCKS_ADMIN;
import static dev.leasehold.server.auth.Permission.LOCKS_READ;
import static dev.leasehold.server.auth.Permission.LOCKS_WRITE;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockEvent.Reason;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.Locks;
import dev.leasehold.lock.Ttl;
import dev.leasehold.lock.admin.ListedLock;
import dev.leasehold.lock.admin.LockListing;
import dev.leasehold.lock.direct.LockGrant;
import dev.leasehold.lock.direct.LockOutcome;
import dev.leasehold.server.auth.Grant;
import dev.leasehold.server.auth.Principal;
import dev.leasehold.server.http.Request;
import dev.leasehold.server.http.Response;
import dev.leasehold.spi.Futures;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Locks over HTTP: {@code POST /v1/lock.*}, JSON.
 *
 * <p>A lock id is a secret of its holder. A client that sends one may release, extend and look up its grant, with the permission in any
 * namespace.
 */
public final class LockEndpoints {
    private static final Logger log = LoggerFactory.getLogger(LockEndpoints.class);
    private static final Duration MAX_WAIT = Duration.ofMinutes(15);

    private final Locks locks;

    public LockEndpoints(Locks locks) {
        this.locks = locks;
    }

    public CompletableFuture<Response> acquire(Request request) {
        JsonFields fields = JsonFields.of(request, "key", "ttl", "wait", "owner", "instance_id", "lock_id");
        LockKey key = LockKey.of(fields.text("key"));
        request.principal().require(LOCKS_WRITE, Principal.namespaceOf(key.value()));
        AcquireRequest acquire = AcquireRequest.of(key)
                .ttl(fields.duration("ttl", Ttl.DEFAULT, Ttl.MAX))
                .waitFor(fields.duration("wait", Duration.ZERO, MAX_WAIT));
        Holder holder = HolderFields.find(fields, request.principal());
        if (holder != null) {
            acquire = acquire.holder(holder);
        }
        String lockId = fields.text("lock_id");
        if (lockId != null) {
            acquire = acquire.lockId(LockId.of(lockId));
        }
        boolean isRepeatable = holder != null || lockId != null;
        return request.untilGone(locks.async().grant(acquire))
                .thenApply(granted -> answer(request, granted, isRepeatable));
    }

    /** A grant whose response is not read is released, unless its client can ask for it again and perhaps has. */
    private Response answer(Request request, Optional<LockGrant> granted, boolean isRepeatable) {
        (granted.isPresent() ? LockResult.SUCCESS : LockResult.CONFLICT).note(request);
        Response answer = acquired(granted);
        return isRepeatable || granted.isEmpty()
                ? answer
                : answer.undo(() -> Futures.logFailure(
                        locks.async().release(granted.get().lockId().value()), log, "give_back_failed"));
    }

    private static Response acquired(Optional<LockGrant> granted) {
        ObjectNode answer = object().put("acquired", granted.isPresent());
        granted.ifPresentOrElse(
                grant -> answer.put("lock_id", grant.lockId().value())
                        .put("fence", grant.fence().toString())
                        .put("acquired_at_ms", grant.acquiredAt().toEpochMilli())
                        .put("expires_at_ms", grant.expiresAt().toEpochMilli()),
                () -> answer.put("reason", "locked"));
        return ok(answer);
    }

    public CompletableFuture<Response> release(Request request) {
        JsonFields fields = JsonFields.of(request, "lock_id");
        LockId lockId = LockId.of(fields.text("lock_id"));
        request.principal().requireAnywhere(LOCKS_WRITE);
        return locks.async().releaseOutcome(lockId.value()).thenApply(outcome -> {
            LockResult.found(outcome.ok()).note(request);
            return ok(withReason(object().put("released", outcome.ok()), outcome));
        });
    }

    public CompletableFuture<Response> extend(Request request) {
        JsonFields fields = JsonFields.of(request, "lock_id", "ttl");
        LockId lockId = LockId.of(fields.text("lock_id"));
        Duration ttl = Ttl.check(fields.duration("ttl", Duration.ZERO, Ttl.MAX));
        request.principal().requireAnywhere(LOCKS_WRITE);
        return locks.async().extendOutcome(lockId.value(), ttl).thenApply(outcome -> {
            LockResult.found(outcome.ok()).note(request);
            ObjectNode answer = object().put("extended", outcome.ok());
            Instant until = outcome.expiresAt();
            return ok(until == null ? withReason(answer, outcome) : answer.put("expires_at_ms", until.toEpochMilli()));
        });
    }

    /** Says why it was not held, if the store knows. */
    private static ObjectNode withReason(ObjectNode answer, LockOutcome outcome) {
        Reason reason = outcome.reason();
        return reason == null ? answer : answer.put("reason", reason.text());
    }

    public CompletableFuture<Response> isLocked(Request request) {
        JsonFields fields = JsonFields.of(request, "key");
        LockKey key = LockKey.of(fields.text("key"));
        request.principal().require(LOCKS_READ, Principal.namespaceOf(key.value()));
        return locks.async().isLocked(key.value()).thenApply(locked -> ok(object().put("locked", locked)));
    }

    public CompletableFuture<Response> lookup(Request request) {
        JsonFields fields = JsonFields.of(request, "key", "lock_id");
        if (fields.has("key") == fields.has("lock_id")) {
            throw LockException.invalidArgument("give exactly one of key and lock_id");
        }
        return find(request, fields).thenApply(found -> {
            ObjectNode answer = object();
            found.ifPresentOrElse(
                    info -> answer.set("lock", sanitized(info, maySeeInstance(request, fields))),
                    () -> answer.putNull("lock"));
            return ok(answer);
        });
    }

    private CompletableFuture<Optional<LockInfo>> find(Request request, JsonFields fields) {
        if (fields.has("lock_id")) {
            LockId lockId = LockId.of(fields.text("lock_id"));
            request.principal().requireAnywhere(LOCKS_READ);
            return locks.async().getById(lockId.value());
        }
        LockKey key = LockKey.of(fields.text("key"));
        request.principal().require(LOCKS_READ, Principal.namespaceOf(key.value()));
        return locks.async().getByKey(key.value());
    }

    /** A caller that knows the owner and the instance can acquire as that holder, and is given the lock id. */
    private static boolean maySeeInstance(Request request, JsonFields fields) {
        return fields.has("lock_id")
                || request.principal()
                        .may(
                                LOCKS_ADMIN,
                                Principal.namespaceOf(
                                        LockKey.of(fields.text("key")).value()));
    }

    private static ObjectNode sanitized(LockInfo info, boolean withInstance) {
        ObjectNode lock = object().put("key_hash", info.keyHash()).put("lock_id_hash", info.lockIdHash());
        info.holder().ifPresent(holder -> {
            lock.put("owner", holder.owner());
            if (withInstance) {
                lock.put("instance_id", holder.instanceId());
            }
        });
        return lock.put("acquired_at_ms", info.acquiredAt().toEpochMilli())
                .put("expires_at_ms", info.expiresAt().toEpochMilli())
                .put("fence", info.fence().toString());
    }

    public CompletableFuture<Response> list(Request request) {
        JsonFields fields = JsonFields.of(request, "prefix", "pivot", "limit");
        LockListing listing =
                new LockListing(fields.text("prefix", ""), fields.text("pivot", ""), fields.number("limit", 100));
        request.principal().require(LOCKS_ADMIN, namespaceOfPrefix(listing.prefix()));
        return locks.admin().list(listing).thenApply(LockEndpoints::listed);
    }

    /** A prefix that leaves the namespace open asks about all of them. */
    private static String namespaceOfPrefix(String prefix) {
        return prefix.contains(":") ? Principal.namespaceOf(prefix) : Grant.ALL;
    }

    private static Response listed(List<ListedLock> locks) {
        ObjectNode answer = object();
        var list = answer.putArray("locks");
        for (ListedLock lock : locks) {
            ObjectNode entry = list.addObject().put("key", lock.key().value());
            Holder holder = lock.holder();
            if (holder != null) {
                entry.put("owner", holder.owner()).put("instance_id", holder.instanceId());
            }
            entry.put("acquired_at_ms", lock.acquiredAt().toEpochMilli())
                    .put("expires_at_ms", lock.expiresAt().toEpochMilli())
                    .put("fence", lock.fence().toString());
        }
        return ok(answer);
    }

    public CompletableFuture<Response> forceRelease(Request request) {
        JsonFields fields = JsonFields.of(request, "key", "fence", "reason");
        LockKey key = LockKey.of(fields.text("key"));
        Fence fence = Fence.parse(fields.required("fence"));
        String reason = fields.required("reason");
        request.principal().require(LOCKS_ADMIN, Principal.namespaceOf(key.value()));
        return locks.admin().forceRelease(key, fence, reason).thenApply(released -> {
            LockResult.found(released).note(request);
            return ok(object().put("released", released));
        });
    }

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static Response ok(ObjectNode body) {
        return Response.json(200, body.toString());
    }
}
