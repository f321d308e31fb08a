package dev.leasehold.server.auth;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * API keys and tokens together: a credential with the three parts of a token is one, every other is a key.
 *
 * <p>A token whose subject is the name of a key is refused: each would own what the other has locked.
 */
public final class AccessChain implements Access {
    private final ApiKeys keys;
    private final JwtAccess tokens;

    public AccessChain(ApiKeys keys, JwtAccess tokens) {
        this.keys = keys;
        this.tokens = tokens;
    }

    /**
     * The access that a configuration asks for. Whatever can tell who asks wins over {@code disabled}: a setting that was left
     * behind does not disable authentication.
     *
     * @param disabled whether authentication has been switched off
     */
    public static Access of(@Nullable ApiKeys keys, @Nullable JwtAccess tokens, boolean disabled) {
        if (keys != null && tokens != null) {
            return new AccessChain(keys, tokens);
        }
        if (keys != null) {
            return keys;
        }
        if (tokens != null) {
            return tokens;
        }
        return disabled ? OpenAccess.DISABLED : OpenAccess.LOOPBACK;
    }

    @Override
    public CompletableFuture<Principal> authenticate(@Nullable String authorization) {
        boolean isToken = authorization != null && Bearer.looksLikeToken(authorization);
        return isToken
                ? tokens.authenticate(authorization).thenApply(this::unlikeAnyKey)
                : keys.authenticate(authorization);
    }

    private Principal unlikeAnyKey(Principal token) {
        if (keys.hasName(token.subject())) {
            throw new UnauthorizedException("The sub claim is the name of an api key");
        }
        return token;
    }
}
