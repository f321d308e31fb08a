package dev.leasehold.server.namespaced;

import dev.leasehold.server.http.Request;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;

/** The fields of the request log for a request to a lock, in this order. Instance ids are logged as hashes only. */
final class LockLogFields {
    private final Map<String, Object> notes;
    private final String operation;
    private final String backend;
    private long startNanos;

    LockLogFields(Request request, LockPath path, String operation, String backend) {
        this.notes = request.notes();
        this.operation = operation;
        this.backend = backend;
        notes.put("lock_namespace", path.namespace());
        notes.put("lock_name", path.lockName());
        notes.put("lock_operation", operation);
        notes.put("auth_subject", request.principal().subject());
    }

    void asked(LockRequestBody body) {
        notes.put("instance_id_hash", sha256(body.instanceId()));
        if (!body.lease().isZero()) {
            notes.put("requested_lease_duration_sec", body.lease().toSeconds());
        }
    }

    void called() {
        startNanos = System.nanoTime();
    }

    /** The store has answered: {@code outcome} is what it says, {@code result} what that means. */
    void answered(String outcome, String result) {
        notes.put("lock_service_outcome", outcome);
        looked(result);
    }

    /** The store has shown who has the lock. */
    void looked(String result) {
        store();
        notes.put("lock_result", result);
    }

    void until(Instant expiry) {
        notes.put("computed_expiry_epoch_sec", expiry.getEpochSecond());
    }

    void failed() {
        if (!operation.equals("get")) {
            notes.put("lock_service_outcome", operation.toUpperCase(Locale.ROOT) + "_ERROR");
        }
        store();
    }

    private void store() {
        notes.put("lock_backend", backend);
        notes.put("backend_duration_ms", (System.nanoTime() - startNanos) / 1_000_000);
    }

    private static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JVM has no SHA-256", e);
        }
    }
}
