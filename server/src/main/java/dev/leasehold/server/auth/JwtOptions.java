package dev.leasehold.server.auth;

import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that are accepted. At least one of issuer and jwks is given.
 *
 * @param issuer the {@code iss} that tokens must have, and where to discover their keys if jwks is not given; null: any
 * @param jwks where the keys are; null: what the issuer's discovery document says
 * @param audience what must be in the {@code aud} of a token; null: anything
 * @param grants of every client with a valid token
 * @param skew how far the clocks of issuer and server may be apart
 */
public record JwtOptions(
        @Nullable String issuer,
        @Nullable URI jwks,
        @Nullable String audience,
        List<Grant> grants,
        Duration skew) {
    /** All permissions in all namespaces. */
    public static final List<Grant> ALL = List.of(new Grant(Grant.ALL, EnumSet.allOf(Permission.class)));

    private static final Duration SKEW = Duration.ofSeconds(60);

    public JwtOptions {
        if (issuer == null && jwks == null) {
            throw new IllegalArgumentException("neither jwt.issuer nor jwt.jwks is set; tokens need one of them");
        }
        checkUrl("jwt.issuer", jwks == null ? URI.create(String.valueOf(issuer)) : null);
        checkUrl("jwt.jwks", jwks);
        grants = List.copyOf(grants);
    }

    private static void checkUrl(String name, @Nullable URI url) {
        if (url != null && !isHttp(url)) {
            throw new IllegalArgumentException(
                    name + " must be a URL that begins with https:// or http://, not " + url);
        }
    }

    static boolean isHttp(URI url) {
        return url.getHost() != null && ("https".equals(url.getScheme()) || "http".equals(url.getScheme()));
    }

    /** Tokens of this issuer; where their keys are, its discovery document says. */
    public static JwtOptions issuer(String issuer) {
        return new JwtOptions(issuer, null, null, ALL, SKEW);
    }

    /** Tokens that are signed with these keys. */
    public static JwtOptions jwks(URI jwks) {
        return new JwtOptions(null, jwks, null, ALL, SKEW);
    }

    public JwtOptions withIssuer(@Nullable String issuer) {
        return new JwtOptions(issuer, jwks, audience, grants, skew);
    }

    public JwtOptions audience(@Nullable String audience) {
        return new JwtOptions(issuer, jwks, audience, grants, skew);
    }

    public JwtOptions grants(List<Grant> grants) {
        return new JwtOptions(issuer, jwks, audience, grants, skew);
    }
}
