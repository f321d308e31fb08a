package dev.leasehold.lock;

import java.util.Locale;

/**
 * A number that grows with every grant of the same key (fencing token): a system that stores it beside its data can refuse a stale
 * holder.
 *
 * <p>On every wire and in every table it is 15 decimal digits, so that text order is number order.
 */
public record Fence(long value) implements Comparable<Fence> {
    /** The largest fence that is granted; beyond it acquiring fails as Internal. */
    public static final long MAX = 900_000_000_000_000L;

    /** From here on every grant logs a warning. */
    public static final long WARN = 90_000_000_000_000L;

    private static final long MAX_15_DIGITS = 999_999_999_999_999L;

    public Fence {
        if (value < 0) {
            throw LockException.invalidArgument("Fence must be non-negative");
        }
        if (value > MAX_15_DIGITS) {
            throw LockException.invalidArgument("Fence exceeds 15-digit limit: " + value);
        }
    }

    /** The fence of this number. */
    public static Fence of(long value) {
        return new Fence(value);
    }

    /** Reads the 15-digit form. */
    public static Fence parse(String digits) {
        if (digits.length() != 15 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw LockException.invalidArgument("Fence must be 15 digits, got: " + digits);
        }
        return new Fence(Long.parseLong(digits));
    }

    /** Cuts the fraction off, towards zero. */
    public static Fence truncate(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw LockException.invalidArgument("Fence must be a number, got: " + value);
        }
        return new Fence((long) value);
    }

    @Override
    public int compareTo(Fence other) {
        return Long.compare(value, other.value);
    }

    /** The 15 digits. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%015d", value);
    }
}
