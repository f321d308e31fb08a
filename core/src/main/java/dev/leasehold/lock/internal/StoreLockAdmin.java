package dev.leasehold.lock.internal;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.admin.Capabilities;
import dev.leasehold.lock.admin.ListedLock;
import dev.leasehold.lock.admin.LockAdmin;
import dev.leasehold.lock.admin.LockListing;
import dev.leasehold.lock.spi.LockStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link LockAdmin} over any store. What was taken away is logged here, once, by the node that did it. */
public final class StoreLockAdmin implements LockAdmin {
    private static final Logger log = LoggerFactory.getLogger(LockAdmin.class);

    private final LockStore store;

    public StoreLockAdmin(LockStore store) {
        this.store = store;
    }

    @Override
    public CompletableFuture<List<ListedLock>> list(LockListing listing) {
        return StoreCalls.of(() -> store.list(listing), locks -> locks);
    }

    @Override
    public Capabilities capabilities() {
        return store.capabilities();
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(LockKey key, Fence fence, String reason) {
        return StoreCalls.of(
                () -> {
                    if (reason.isBlank()) {
                        throw LockException.invalidArgument("reason must not be blank: say why the lock is taken away");
                    }
                    return store.forceRelease(key, fence, reason);
                },
                released -> told(released, key, fence, reason));
    }

    private static boolean told(boolean released, LockKey key, Fence fence, String reason) {
        if (released) {
            log.warn("event=force_release keyHash={} fence={} reason={}", key.hash(), fence, oneLine(reason));
        }
        return released;
    }

    /** Text of others, so that it cannot pass for a line of its own. */
    private static String oneLine(String text) {
        return text.replaceAll("[\\p{Cntrl}\\u2028\\u2029]", " ");
    }
}
