package dev.leasehold.lock;

import dev.leasehold.spi.LockHash;
import dev.leasehold.spi.Texts;
import org.jspecify.annotations.Nullable;

/**
 * The text that names a lock: Unicode NFC, 1 to 512 bytes of UTF-8, no U+0000.
 *
 * <p>Two texts that normalise to the same NFC form name the same lock. A lone surrogate counts as U+FFFD.
 */
public record LockKey(String value) {
    /** The longest key, in bytes of UTF-8 after normalisation. */
    public static final int MAX_BYTES = 512;

    /** A key of that text, which is normalized to NFC. 1 to 512 bytes of UTF-8, without U+0000. */
    public LockKey(@Nullable String value) {
        this.value = normalize(value);
    }

    /** A key of that text. */
    public static LockKey of(@Nullable String value) {
        return new LockKey(value);
    }

    private static String normalize(@Nullable String value) {
        if (value == null) {
            throw LockException.invalidArgument("Key must be a string");
        }
        if (value.isEmpty()) {
            throw LockException.invalidArgument("Key must not be empty");
        }
        if (value.indexOf('\0') >= 0) {
            throw LockException.invalidArgument("Key must not contain U+0000");
        }
        String normal = Texts.normal(value);
        if (normal.length() > MAX_BYTES || Texts.utf8(normal).length > MAX_BYTES) {
            throw LockException.invalidArgument(
                    "Key exceeds maximum length of " + MAX_BYTES + " bytes after normalization");
        }
        return normal;
    }

    /** The hash that stands for this key in telemetry. */
    public String hash() {
        return LockHash.of(value);
    }
}
