package dev.leasehold.lock;

import dev.leasehold.spi.LockHash;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The secret handle of one grant: enough to release and extend it. 16 random bytes as 22 characters of base64url.
 *
 * <p>{@link #toString()} shows its hash, so that it does not slip into a log. A malformed one is not repeated either: it may be a real
 * one with a typing error.
 */
public record LockId(String value) {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 16;
    private static final int LENGTH = 22;

    /** A lock id of 22 base64url characters. */
    public LockId(@Nullable String value) {
        if (value == null || !isWellFormed(value)) {
            throw LockException.invalidArgument("Invalid lockId format. Expected 22 base64url characters, got: "
                    + (value == null || value.isEmpty() ? "empty/null" : value.length() + " characters that are not"));
        }
        this.value = value;
    }

    /** A lock id of 22 base64url characters. */
    public static LockId of(@Nullable String value) {
        return new LockId(value);
    }

    /** A new id from a cryptographically strong source. */
    public static LockId generate() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new LockId(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /** Whether {@code value} looks like a lock id: for checks before a call. */
    public static boolean isWellFormed(String value) {
        if (value.length() != LENGTH) {
            return false;
        }
        for (int i = 0; i < LENGTH; i++) {
            if (!isBase64Url(value.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBase64Url(char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    }

    /** The hash that stands for this id in telemetry. */
    public String hash() {
        return LockHash.of(value);
    }

    @Override
    public String toString() {
        return "LockId[hash=" + hash() + "]";
    }
}
