package dev.leasehold.server.auth;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Everybody is anonymous and may do everything. */
public enum OpenAccess implements Access {
    /** Nobody has said anything about authentication: such a server listens on loopback only. */
    LOOPBACK,
    /** Somebody has switched authentication off: such a server listens anywhere. */
    DISABLED;

    @Override
    public CompletableFuture<Principal> authenticate(@Nullable String authorization) {
        if (authorization != null && !authorization.startsWith("Bearer ")) {
            return CompletableFuture.failedFuture(new UnauthorizedException("invalid authorization header format"));
        }
        return CompletableFuture.completedFuture(Principal.ANONYMOUS);
    }

    @Override
    public boolean isLoopbackOnly() {
        return this == LOOPBACK;
    }
}
