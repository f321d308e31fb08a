package dev.leasehold.syncguard;

import dev.leasehold.lock.LockException;
import dev.leasehold.spi.Texts;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Base64;

/** How a user's key becomes the key that is stored, byte for byte as SyncGuard does it. */
public final class StorageKeys {
    /** Bytes that a stored key may have on PostgreSQL. Keys end at 512 bytes, so none is ever hashed there. */
    public static final int POSTGRES_LIMIT = 1700;

    /** Bytes kept free for derived keys on PostgreSQL: none, its tables are independent. */
    public static final int POSTGRES_RESERVE = 0;

    private StorageKeys() {}

    /**
     * Returns {@code prefix:key}, or {@code prefix:} and a hash of it when it and the reserve do not fit in the limit.
     *
     * @param limit how many bytes of UTF-8 a stored key may have
     * @param reserve how many of these are kept for derived keys
     */
    public static String make(String prefix, String key, int limit, int reserve) {
        if (key.isEmpty()) {
            throw LockException.invalidArgument("Key must not be empty");
        }
        int end = prefix.length();
        while (end > 0 && prefix.charAt(end - 1) == ':') {
            end--;
        }
        String start = prefix.substring(0, end);
        if (!start.isEmpty()) {
            start += ":";
        }
        if (Texts.utf8(start).length + reserve > limit) {
            throw LockException.invalidArgument(
                    "Prefix exceeds backend limit after accounting for reserved bytes. Use a shorter prefix.");
        }
        String full = start + Normalizer.normalize(key, Normalizer.Form.NFC);
        if (Texts.utf8(full).length + reserve <= limit) {
            return full;
        }
        String hashed = start + sha256Prefix(full);
        if (Texts.utf8(hashed).length + reserve > limit) {
            throw LockException.invalidArgument("Key exceeds backend limits even after hashing (prefix too long).");
        }
        return hashed;
    }

    /** The key of the fence counter, derived from the stored key so that both are hashed or neither is. */
    public static String fence(String prefix, String storageKey, int limit, int reserve) {
        return make(prefix, "fence:" + storageKey, limit, reserve);
    }

    private static String sha256Prefix(String full) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(Texts.utf8(full));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, 16));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
