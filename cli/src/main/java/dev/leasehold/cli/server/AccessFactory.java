package dev.leasehold.cli.server;

import dev.leasehold.cli.config.Authentication;
import dev.leasehold.server.auth.Access;
import dev.leasehold.server.auth.AccessChain;
import dev.leasehold.server.auth.ApiKeys;
import dev.leasehold.server.auth.JwtAccess;
import dev.leasehold.server.auth.JwtOptions;
import dev.leasehold.server.auth.OpenAccess;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes of the settings whoever decides who is let in: the one place. */
final class AccessFactory {
    private static final Logger LOG = LoggerFactory.getLogger(AccessFactory.class);

    private AccessFactory() {}

    static Access create(Authentication authentication) {
        Access access =
                AccessChain.of(keys(authentication.keys()), tokens(authentication.jwt()), authentication.isDisabled());
        if (access == OpenAccess.DISABLED) {
            LOG.warn("authentication is disabled: everybody who reaches the server may do everything");
        }
        return access;
    }

    private static @Nullable ApiKeys keys(List<Authentication.Key> keys) {
        return keys.isEmpty()
                ? null
                : new ApiKeys(keys.stream()
                        .map(key -> new ApiKeys.Key(key.name(), key.sha256(), key.grants()))
                        .toList());
    }

    private static @Nullable JwtAccess tokens(Authentication.@Nullable Jwt jwt) {
        if (jwt == null) {
            return null;
        }
        String jwks = jwt.jwks();
        String issuer = jwt.issuer();
        JwtOptions options = jwks != null
                ? JwtOptions.jwks(URI.create(jwks)).withIssuer(issuer)
                : JwtOptions.issuer(String.valueOf(issuer));
        return new JwtAccess(options.audience(jwt.audience()).grants(jwt.grants()));
    }
}
