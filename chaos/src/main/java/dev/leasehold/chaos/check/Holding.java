package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The time in which a grant or a lease was certainly in force.
 *
 * <p>It was from the moment at which the answer was there. It was until what was asked for had passed since the call was invoked,
 * because the store began to count later than that; and until the invocation of every later call that the store would have refused
 * otherwise, because what has ended never comes back. It was no longer, as far as anybody knows, when a call was invoked that may
 * have ended it, or when an extension that may have been carried out would have let it end.
 *
 * @param start the call that began it
 * @param proof the call that shows that it was still in force at the end of this time
 */
record Holding(Call start, long from, long until, Call proof) {
    /** @param later the calls under the same grant or lease, in any order */
    static Holding of(Call start, List<Call> later) {
        Holding longest = new Holding(start, start.done(), Long.MIN_VALUE, start);
        List<Call> all = new ArrayList<>(later);
        all.add(start);
        for (Call call : all) {
            if (call.isOk() && call.operation() != Operation.GIVE_BACK) { // which is never refused
                longest = longest.atLeast(Math.max(inForce(start, call), horizon(call, later)), call);
            }
        }
        long end = later.stream()
                .filter(Holding::mayEnd)
                .mapToLong(Call::began)
                .min()
                .orElse(Long.MAX_VALUE);
        return new Holding(start, longest.from, Math.min(longest.until, end), longest.proof);
    }

    /** When the store still agreed with the holder. That it granted the start says nothing of the time when the answer came. */
    private static long inForce(Call start, Call call) {
        return call.isSame(start) ? Long.MIN_VALUE : call.began();
    }

    private static long horizon(Call call, List<Call> later) {
        long asked = end(call);
        for (Call other : later) {
            if (!other.isSame(call) && asksForTime(other) && other.maybe() && !other.isBefore(call)) {
                asked = Math.min(asked, end(other));
            }
        }
        return asked;
    }

    private static long end(Call call) {
        Long lasts = call.invoke().facts().lastsNanos();
        return asksForTime(call) && lasts != null ? call.began() + lasts : Long.MIN_VALUE;
    }

    private static boolean asksForTime(Call call) {
        return switch (call.operation()) {
            case ACQUIRE, EXTEND, LEASE, EXTEND_LEASE -> true;
            default -> false;
        };
    }

    private static boolean mayEnd(Call call) {
        return switch (call.operation()) {
            case RELEASE, FORCE_RELEASE -> true; // one that found nothing to release may have been sent twice
            case COMPLETE, RETRY, GIVE_BACK -> call.maybe();
            default -> false;
        };
    }

    private Holding atLeast(long end, Call call) {
        return end > until ? new Holding(start, from, end, call) : this;
    }

    /** The first two of these that were in force at the same time, if any. */
    static Stream<Clash> clashes(List<Holding> holdings) {
        List<Holding> sorted = holdings.stream()
                .filter(holding -> holding.from < holding.until)
                .sorted(Comparator.comparingLong(Holding::from))
                .toList();
        List<Clash> clashes = new ArrayList<>();
        Holding longest = null;
        for (Holding next : sorted) {
            if (longest != null && next.from < longest.until) {
                clashes.add(new Clash(longest, next));
            }
            longest = longer(longest, next);
        }
        return clashes.stream();
    }

    private static Holding longer(@Nullable Holding one, Holding other) {
        return one != null && one.until >= other.until ? one : other;
    }

    /** Two that were in force at the same time. */
    record Clash(Holding first, Holding second) {
        /** The calls that show it. */
        Call[] excerpt() {
            return new Call[] {first.start, first.proof, second.start, second.proof};
        }
    }
}
