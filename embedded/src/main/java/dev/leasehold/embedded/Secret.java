package dev.leasehold.embedded;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Passwords that nobody has to type. */
final class Secret {
    private static final int BYTES = 24;

    private Secret() {}

    static String draw() {
        byte[] secret = new byte[BYTES];
        new SecureRandom().nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }
}
