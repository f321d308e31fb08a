package dev.leasehold.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * When an item is retried whose handler threw: exponential backoff with jitter, and exceptions to the rule by type. Immutable.
 *
 * <pre>{@code
 * RetryRules.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5))
 *         .never(ValidationException.class)
 *         .after(RateLimitedException.class, Duration.ofMinutes(1))
 * }</pre>
 *
 * <p>How often an item is retried in all is up to its queue: see {@link QueueConfig#maxAttempts}.
 */
public final class RetryRules {
    /** Jitter shortens a delay by up to this part of it, in steps of a thousandth. */
    private static final int JITTER = 4;

    private static final int STEPS = 1_000;

    private final Duration first;
    private final Duration longest;
    private final boolean hasJitter;
    private final List<Rule> rules;

    private RetryRules(Duration first, Duration longest, boolean hasJitter, List<Rule> rules) {
        this.first = first;
        this.longest = longest;
        this.hasJitter = hasJitter;
        this.rules = rules;
    }

    /** Exceptions of a type are retried after a delay, or never if there is none. */
    private record Rule(Class<? extends Throwable> type, Optional<Duration> delay) {}

    /** A first retry after {@code first}, twice as long with every attempt, {@code longest} at most; each up to a quarter shorter. */
    public static RetryRules exponential(Duration first, Duration longest) {
        if (first.isNegative()) {
            throw QueueException.invalidArgument("the first delay must not be negative, got " + first);
        }
        if (longest.compareTo(first) < 0) {
            throw QueueException.invalidArgument(
                    "the longest delay must not be shorter than the first, got " + longest + " and " + first);
        }
        return new RetryRules(first, longest, true, List.of());
    }

    /** Every retry after the same delay, up to a quarter shorter. */
    public static RetryRules fixed(Duration delay) {
        return exponential(delay, delay);
    }

    /** Delays are exact: items that failed together come back together. */
    public RetryRules withoutJitter() {
        return new RetryRules(first, longest, false, rules);
    }

    /** An item whose handler threw this exception, or one caused by it, is dead-lettered at once. */
    public RetryRules never(Class<? extends Throwable> type) {
        return with(new Rule(type, Optional.empty()));
    }

    /** An item whose handler threw this exception, or one caused by it, is retried after {@code delay}. */
    public RetryRules after(Class<? extends Throwable> type, Duration delay) {
        if (delay.isNegative()) {
            throw QueueException.invalidArgument("a delay must not be negative, got " + delay);
        }
        return with(new Rule(type, Optional.of(delay)));
    }

    /** Rules that are added first are asked first. */
    private RetryRules with(Rule rule) {
        List<Rule> more = new ArrayList<>(rules);
        more.add(rule);
        return new RetryRules(first, longest, hasJitter, List.copyOf(more));
    }

    /**
     * How long to wait before an item is retried; empty if it is to be dead-lettered.
     *
     * @param attempts how often it was leased so far
     * @param failure what its handler threw
     */
    public Optional<Duration> delay(int attempts, Throwable failure) {
        for (Rule rule : rules) {
            if (isCausedBy(rule.type, failure)) {
                return rule.delay;
            }
        }
        Duration backoff = backoff(attempts);
        return Optional.of(hasJitter ? backoff.minus(jitter(backoff)) : backoff);
    }

    private static boolean isCausedBy(Class<? extends Throwable> type, Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < 100; depth++) { // a cause may lead back to itself
            if (type.isInstance(cause)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    private Duration backoff(int attempts) {
        Duration backoff = first;
        Duration half = longest.dividedBy(2);
        for (int i = 1; i < attempts && !backoff.isZero(); i++) {
            if (backoff.compareTo(half) > 0) {
                return longest;
            }
            backoff = backoff.multipliedBy(2);
        }
        return backoff;
    }

    private static Duration jitter(Duration delay) {
        return delay.dividedBy((long) JITTER * STEPS)
                .multipliedBy(ThreadLocalRandom.current().nextInt(STEPS + 1));
    }

    @Override
    public String toString() {
        return "RetryRules[" + first + " to " + longest + ", " + rules + "]";
    }
}
