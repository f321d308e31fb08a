package dev.leasehold.lock.admin;

/**
 * What a store can do.
 *
 * @param backend its name: {@code postgres}, {@code memory}
 * @param supportsFencing whether grants carry a fence
 * @param timeAuthority whose clock decides
 */
public record Capabilities(String backend, boolean supportsFencing, TimeAuthority timeAuthority) {
    /** Whose clock decides about expiry. */
    public enum TimeAuthority {
        SERVER,
        CLIENT
    }
}
