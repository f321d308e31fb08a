package dev.leasehold.server.auth;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Finds out who asks, from the {@code Authorization} header. */
public interface Access {
    /** Who it is; fails with {@link UnauthorizedException}. */
    CompletableFuture<Principal> authenticate(@Nullable String authorization);

    /** Whether the server may listen on loopback addresses only. */
    default boolean isLoopbackOnly() {
        return false;
    }
}
