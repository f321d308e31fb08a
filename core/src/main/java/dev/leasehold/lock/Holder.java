package dev.leasehold.lock;

import dev.leasehold.spi.Texts;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a lock, if they said so: an owner (a service, a user) and one instance of it (a process, a request).
 *
 * <p>A repeated acquire by the same holder is the same grant: same lock id, same fence, new expiry.
 */
public record Holder(String owner, String instanceId) {
    /** The longest owner or instance id, in characters. */
    public static final int MAX_LENGTH = 255;

    /** A holder; both parts have 1 to 255 characters, without U+0000. */
    public Holder(@Nullable String owner, @Nullable String instanceId) {
        this.owner = check("owner", owner);
        this.instanceId = check("instanceId", instanceId);
    }

    /** A holder; both parts have 1 to 255 characters, without U+0000. */
    public static Holder of(@Nullable String owner, @Nullable String instanceId) {
        return new Holder(owner, instanceId);
    }

    private static String check(String name, @Nullable String value) {
        if (value == null || value.isEmpty()) {
            throw LockException.invalidArgument(name + " must not be empty");
        }
        if (value.length() > MAX_LENGTH) {
            throw LockException.invalidArgument(
                    name + " must have at most " + MAX_LENGTH + " characters, got " + value.length());
        }
        if (value.indexOf('\0') >= 0) {
            throw LockException.invalidArgument(name + " must not contain U+0000");
        }
        return Texts.wellFormed(value);
    }
}
