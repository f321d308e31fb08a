package dev.leasehold.server.namespaced;

import static dev.leasehold.server.auth.Permission.LOCKS_READ;
import static dev.leasehold.server.auth.Permission.LOCKS_WRITE;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.Locks;
import dev.leasehold.lock.direct.HolderLocks;
import dev.leasehold.lock.direct.HolderLocks.HeldBy;
import dev.leasehold.lock.direct.HolderLocks.Release;
import dev.leasehold.server.http.Request;
import dev.leasehold.server.http.Response;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Locks by namespace and name over HTTP: {@code /v1/{namespace}/lock/{lockName}}: the LockServiceCentral API.
 *
 * <p>The key is {@code namespace:lockName}. The holder is the caller's subject with the instance id of the body. Times are
 * shown in whole seconds, rounded down. A request is checked in this order: whether the answer can be given in a form that the
 * caller takes, the body, the path, the permission.
 */
public final class NamespacedEndpoints {
    private static final int LOCKED = 423;

    private final Locks locks;

    public NamespacedEndpoints(Locks locks) {
        this.locks = locks;
    }

    public CompletableFuture<Response> get(Request request) {
        NotAcceptableException.check(request);
        LockPath path = LockPath.of(request.parts());
        LockLogFields notes = notes(request, path, "get");
        path.check();
        request.principal().require(LOCKS_READ, path.namespace());
        return call(notes, () -> byHolder().get(path.key())).thenApply(found -> {
            notes.looked(found.isPresent() ? "success" : "not_found");
            return shown(path, found);
        });
    }

    /** The methods of a lock. */
    public CompletableFuture<Response> options(Request request) {
        return allow("GET,HEAD,OPTIONS");
    }

    /** The methods of an operation on a lock. */
    public CompletableFuture<Response> operationOptions(Request request) {
        return allow("POST,OPTIONS");
    }

    private static CompletableFuture<Response> allow(String methods) {
        return CompletableFuture.completedFuture(
                NamespacedErrorMapper.dressed(Response.empty(200).header("Allow", methods)));
    }

    public CompletableFuture<Response> acquire(Request request) {
        NotAcceptableException.check(request);
        LockPath path = LockPath.of(request.parts());
        LockLogFields notes = notes(request, path, "acquire");
        LockRequestBody body = LockRequestBody.withLease(request.body());
        Holder holder = holder(request, path, body, notes);
        return call(notes, () -> byHolder().acquire(path.key(), holder, body.lease()))
                .thenApply(held -> {
                    notes.answered(held.isPresent() ? "ACQUIRED" : "ACQUIRE_CONFLICT", result(held.isPresent()));
                    return held(path, holder, held, notes);
                });
    }

    public CompletableFuture<Response> renew(Request request) {
        NotAcceptableException.check(request);
        LockPath path = LockPath.of(request.parts());
        LockLogFields notes = notes(request, path, "renew");
        LockRequestBody body = LockRequestBody.withLease(request.body());
        Holder holder = holder(request, path, body, notes);
        return call(notes, () -> byHolder().renew(path.key(), holder, body.lease()))
                .thenApply(held -> {
                    notes.answered(held.isPresent() ? "RENEWED" : "RENEW_CONFLICT", result(held.isPresent()));
                    return held(path, holder, held, notes);
                });
    }

    public CompletableFuture<Response> release(Request request) {
        NotAcceptableException.check(request);
        LockPath path = LockPath.of(request.parts());
        LockLogFields notes = notes(request, path, "release");
        LockRequestBody body = LockRequestBody.withoutLease(request.body());
        Holder holder = holder(request, path, body, notes);
        return call(notes, () -> byHolder().release(path.key(), holder)).thenApply(release -> {
            notes.answered(outcome(release), result(release.isFree()));
            return answer(release.isFree() ? 200 : LOCKED, verdict(path, release.isFree()));
        });
    }

    /** An expired lease and none at all cannot be told apart any more: both are not found. */
    private static String outcome(Release release) {
        return switch (release) {
            case RELEASED -> "RELEASED";
            case NOT_HELD -> "RELEASED_NOT_FOUND";
            case HELD_BY_OTHER -> "RELEASE_CONFLICT";
        };
    }

    private HolderLocks byHolder() {
        return locks.async().byHolder();
    }

    private LockLogFields notes(Request request, LockPath path, String operation) {
        return new LockLogFields(
                request, path, operation, locks.admin().capabilities().backend());
    }

    private static Holder holder(Request request, LockPath path, LockRequestBody body, LockLogFields notes) {
        notes.asked(body);
        path.check();
        request.principal().require(LOCKS_WRITE, path.namespace());
        return Holder.of(request.principal().subject(), body.instanceId());
    }

    private static <T> CompletableFuture<T> call(LockLogFields notes, Supplier<CompletableFuture<T>> call) {
        notes.called();
        return call.get().whenComplete((done, failure) -> {
            if (failure != null) {
                notes.failed();
            }
        });
    }

    private static String result(boolean isSuccess) {
        return isSuccess ? "success" : "conflict";
    }

    private static Response held(LockPath path, Holder holder, Optional<HeldBy> held, LockLogFields notes) {
        ObjectNode body = verdict(path, held.isPresent());
        held.ifPresent(lease -> {
            notes.until(lease.expiresAt());
            body.put("owner", holder.owner())
                    .put("instanceId", holder.instanceId())
                    .put("leaseDuration", lease.lease().toSeconds())
                    .put("expiry", lease.expiresAt().getEpochSecond());
        });
        return answer(held.isPresent() ? 200 : LOCKED, body);
    }

    /** A lock without a holder is shown by its expiry alone. */
    private static Response shown(LockPath path, Optional<LockInfo> found) {
        ObjectNode body = named(JsonNodeFactory.instance.objectNode(), path);
        found.ifPresent(lock -> {
            lock.holder().ifPresent(holder -> body.put("owner", holder.owner()));
            body.put("expiry", lock.expiresAt().getEpochSecond());
        });
        return answer(200, body);
    }

    private static ObjectNode verdict(LockPath path, boolean isSuccess) {
        return named(JsonNodeFactory.instance.objectNode().put("success", isSuccess), path);
    }

    private static ObjectNode named(ObjectNode body, LockPath path) {
        return body.put("namespace", path.namespace()).put("lockName", path.lockName());
    }

    private static Response answer(int status, ObjectNode body) {
        return NamespacedErrorMapper.dressed(Response.json(status, body.toString()));
    }
}
