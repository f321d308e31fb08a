package dev.leasehold.cli.config;

import dev.leasehold.server.auth.Grant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who is let in.
 *
 * @param isDisabled whether somebody said that everybody may do everything
 * @param keys the bearer keys
 * @param jwt which tokens are good; null if tokens are not
 */
public record Authentication(
        boolean isDisabled, List<Key> keys, @Nullable Jwt jwt) {
    /**
     * A bearer key.
     *
     * @param sha256 of the key, 64 hex digits in lower case
     */
    public record Key(String name, String sha256, List<Grant> grants) {
        public Key {
            grants = List.copyOf(grants);
        }
    }

    /**
     * Which tokens are good: at least one of issuer and jwks is there.
     *
     * @param grants what everybody with a good token may do
     */
    public record Jwt(
            @Nullable String issuer,
            @Nullable String jwks,
            @Nullable String audience,
            List<Grant> grants) {
        public Jwt {
            grants = List.copyOf(grants);
        }
    }

    public Authentication {
        keys = List.copyOf(keys);
    }

    /** Whether nobody has said anything about it. */
    public boolean isUnconfigured() {
        return !isDisabled && keys.isEmpty() && jwt == null;
    }
}
