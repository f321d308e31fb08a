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

/** Results of lock commands as JSON documents, as the native lock API returns them. */
final class LockDocuments {
    private LockDocuments() {}

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
        document.put("lock", lock.map(LockDocuments::of).orElse(null));
        return document;
    }

    private static Map<String, Object> of(LockInfo lock) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("key_hash", lock.keyHash());
        document.put("lock_id_hash", lock.lockIdHash());
        document.put("acquired_at_ms", lock.acquiredAt().toEpochMilli());
        document.put("expires_at_ms", lock.expiresAt().toEpochMilli());
        document.put("fence", lock.fence().toString());
        return document;
    }

    static Map<String, Object> list(List<ListedLock> locks) {
        return Map.of("locks", locks.stream().map(LockDocuments::of).toList());
    }

    private static Map<String, @Nullable Object> of(ListedLock lock) {
        Holder holder = lock.holder();
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("key", lock.key().value());
        document.put("owner", holder == null ? null : holder.owner());
        document.put("instance_id", holder == null ? null : holder.instanceId());
        document.put("acquired_at_ms", lock.acquiredAt().toEpochMilli());
        document.put("expires_at_ms", lock.expiresAt().toEpochMilli());
        document.put("fence", lock.fence().toString());
        return document;
    }
}
