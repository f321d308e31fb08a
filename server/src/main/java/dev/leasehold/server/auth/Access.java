package dev.leasehold.server.auth;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Authenticates clients by the {@code Authorization} header. */
public interface Access {
    /** Returns the client; fails with {@link UnauthorizedException}. */
    CompletableFuture<Principal> authenticate(@Nullable String authorization);

    /** Whether the server may listen on loopback addresses only. */
    default boolean isLoopbackOnly() {
        return false;
    }
}
