package dev.leasehold.lock.admin;

import dev.leasehold.lock.LockException;
import dev.leasehold.spi.Texts;

/**
 * Which locks to list. Prefix and pivot are texts like keys, normalised like them.
 *
 * @param prefix only keys that begin with it; empty means all
 * @param pivot the first key, or if it is not there the next; empty means from the beginning
 * @param limit how many at most, 1 to 1,000
 */
public record LockListing(String prefix, String pivot, int limit) {
    public static final int MAX_LIMIT = 1000;
    public static final LockListing DEFAULT = new LockListing("", "", 100);

    public LockListing {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw LockException.invalidArgument("limit must be between 1 and " + MAX_LIMIT + ", got " + limit);
        }
        if (prefix.indexOf('\0') >= 0 || pivot.indexOf('\0') >= 0) {
            throw LockException.invalidArgument("prefix and pivot must not contain U+0000");
        }
        prefix = Texts.normal(prefix);
        pivot = Texts.normal(pivot);
    }

    /** Only keys that begin with {@code prefix}. */
    public LockListing prefix(String prefix) {
        return new LockListing(prefix, pivot, limit);
    }

    /** From {@code pivot} on, or the next key after it. */
    public LockListing pivot(String pivot) {
        return new LockListing(prefix, pivot, limit);
    }

    /** At most {@code limit} locks, 1 to 1,000. */
    public LockListing limit(int limit) {
        return new LockListing(prefix, pivot, limit);
    }
}
