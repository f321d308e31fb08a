package dev.leasehold.cli.lock;

import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.admin.ListedLock;
import dev.leasehold.lock.direct.LockGrant;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Results about locks as JSON documents, in the words of the native lock API. */
final class LockJson {
    private LockJson() {}

    static Map<String, Object> of(LockGrant grant) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("acquired", true);
        document.put("lock_id", grant.lockId().value());
        document.put("fence", grant.fence().toString());
        document.put("acquired_at_ms", grant.acquiredAt().toEpochMilli());
        document.put("expires_at_ms", grant.expiresAt().toEpochMilli());
        return document;
    }

    static Map<String, Object> notGranted() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("acquired", false);
        document.put("reason", "locked");
        return document;
    }

    static Map<String, Object> extended(Optional<Instant> expiresAt) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("extended", expiresAt.isPresent());
        expiresAt.ifPresent(moment -> document.put("expires_at_ms", moment.toEpochMilli()));
        return document;
    }

    static Map<String, @Nullable Object> lookup(Optional<LockInfo> lock) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("lock", lock.map(LockJson::of).orElse(null));
        return document;
    }

    private static Map<String, @Nullable Object> of(LockInfo lock) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("key_hash", lock.keyHash());
        document.put("lock_id_hash", lock.lockIdHash());
        put(document, lock.holder().orElse(null));
        document.put("acquired_at_ms", lock.acquiredAt().toEpochMilli());
        document.put("expires_at_ms", lock.expiresAt().toEpochMilli());
        document.put("fence", lock.fence().toString());
        return document;
    }

    private static void put(Map<String, @Nullable Object> document, @Nullable Holder holder) {
        document.put("owner", holder == null ? null : holder.owner());
        document.put("instance_id", holder == null ? null : holder.instanceId());
    }

    static Map<String, Object> list(List<ListedLock> locks) {
        return Map.of("locks", locks.stream().map(LockJson::of).toList());
    }

    private static Map<String, @Nullable Object> of(ListedLock lock) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("key", lock.key().value());
        put(document, lock.holder());
        document.put("acquired_at_ms", lock.acquiredAt().toEpochMilli());
        document.put("expires_at_ms", lock.expiresAt().toEpochMilli());
        document.put("fence", lock.fence().toString());
        return document;
    }
}
