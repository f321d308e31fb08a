package dev.leasehold.server.lock;

import static dev.leasehold.server.auth.Permission.LOCKS_WRITE;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.Locks;
import dev.leasehold.lock.direct.HolderLocks;
import dev.leasehold.lock.direct.HolderLocks.HeldBy;
import dev.leasehold.lock.direct.HolderLocks.Release;
import dev.leasehold.server.auth.Principal;
import dev.leasehold.server.http.Request;
import dev.leasehold.server.http.Response;
import dev.leasehold.spi.GoDuration;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Locks over HTTP for those who keep no lock id: {@code POST /v1/lock.renew_held} and {@code /v1/lock.release_held}, JSON. */
public final class HolderEndpoints {
    private final HolderLocks locks;

    public HolderEndpoints(Locks locks) {
        this.locks = locks.async().byHolder();
    }

    public CompletableFuture<Response> renew(Request request) {
        JsonFields fields = JsonFields.of(request, "key", "owner", "instance_id", "more");
        LockKey key = key(request, fields);
        Holder holder = HolderFields.require(fields, request.principal());
        return locks.renew(key, holder, more(fields)).thenApply(held -> {
            (held.isPresent() ? LockResult.SUCCESS : LockResult.CONFLICT).note(request);
            return renewed(held);
        });
    }

    private static LockKey key(Request request, JsonFields fields) {
        LockKey key = LockKey.of(fields.text("key"));
        request.principal().require(LOCKS_WRITE, Principal.namespaceOf(key.value()));
        return key;
    }

    private static Duration more(JsonFields fields) {
        Duration more = fields.duration("more", Duration.ZERO, HolderLocks.MAX_LEASE);
        if (more.isNegative() || more.isZero() || !more.equals(Duration.ofMillis(more.toMillis()))) {
            throw LockException.invalidArgument("more must be a positive number of whole milliseconds, such as 30s");
        }
        return more;
    }

    private static Response renewed(Optional<HeldBy> held) {
        ObjectNode answer = LockEndpoints.object().put("renewed", held.isPresent());
        held.ifPresent(grant -> answer.put("lock_id", grant.lockId().value())
                .put("fence", grant.fence().toString())
                .put("lease", GoDuration.format(grant.lease()))
                .put("acquired_at_ms", grant.acquiredAt().toEpochMilli())
                .put("expires_at_ms", grant.expiresAt().toEpochMilli()));
        return LockEndpoints.ok(answer);
    }

    public CompletableFuture<Response> release(Request request) {
        JsonFields fields = JsonFields.of(request, "key", "owner", "instance_id");
        LockKey key = key(request, fields);
        Holder holder = HolderFields.require(fields, request.principal());
        return locks.release(key, holder).thenApply(release -> released(request, release));
    }

    private static Response released(Request request, Release release) {
        ObjectNode answer = LockEndpoints.object().put("released", release == Release.RELEASED);
        switch (release) {
            case RELEASED -> LockResult.SUCCESS.note(request);
            case NOT_HELD -> {
                LockResult.NOT_FOUND.note(request);
                answer.put("reason", "not_held");
            }
            case HELD_BY_OTHER -> {
                LockResult.CONFLICT.note(request);
                answer.put("reason", "locked");
            }
        }
        return LockEndpoints.ok(answer);
    }
}
