package dev.leasehold.spi;

import java.text.Normalizer;
import java.util.HexFormat;

/**
 * A 96-bit name for a key or a lock id that may be logged: 24 hexadecimal digits, the same as SyncGuard's {@code hashKey}.
 *
 * <p>It is for telemetry, not for security: it is not a cryptographic hash.
 */
public final class LockHash {
    private static final HexFormat HEX = HexFormat.of();

    private LockHash() {}

    /** Hashes the NFC form of {@code value}, UTF-16 unit by unit, with three multipliers. */
    public static String of(String value) {
        String normal = Normalizer.normalize(value, Normalizer.Form.NFC);
        int h1 = 0;
        int h2 = 0;
        int h3 = 0;
        for (int i = 0; i < normal.length(); i++) {
            int unit = normal.charAt(i);
            h1 = 31 * h1 + unit;
            h2 = 127 * h2 + 3 * unit;
            h3 = 2047 * h3 + 7 * unit;
        }
        return HEX.toHexDigits(h1) + HEX.toHexDigits(h2) + HEX.toHexDigits(h3);
    }
}
