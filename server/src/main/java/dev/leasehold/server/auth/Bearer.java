package dev.leasehold.server.auth;

import org.jspecify.annotations.Nullable;

/** Takes the credential out of an {@code Authorization} header. */
final class Bearer {
    private static final String PREFIX = "Bearer ";

    private Bearer() {}

    /** The credential; throws {@link UnauthorizedException} if there is none, or one of another kind. */
    static String of(@Nullable String authorization) {
        if (authorization == null) {
            throw new UnauthorizedException("authentication required");
        }
        if (!authorization.startsWith(PREFIX)) {
            throw new UnauthorizedException("invalid authorization header format");
        }
        return authorization.substring(PREFIX.length()).trim();
    }

    /** Whether it has the three parts of a signed token. */
    static boolean looksLikeToken(String credential) {
        return credential.chars().filter(c -> c == '.').count() == 2;
    }
}
