package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A grant that nobody was told of is given back: it does not happen that a key is refused as locked although everybody who was
 * granted it has released it, and every acquire whose outcome is not known failed longer than a bound before.
 *
 * <p>The bound counts time without a fault; {@code recovery} after each fault belongs to it. Nothing is concluded while somebody
 * whose process was killed may have the lock, or have been about to give it back, or somebody whose release failed. What a process
 * asked for that was killed ends with its ttl: nobody renews it. A guarded transaction keeps the lock until it ends, however long
 * ago that expired: so a holder of a key that is guarded may have it until its release, or until the server has ended its session.
 */
final class NoOrphan implements Invariant {
    /** How much longer than its ttl a grant is in force, with some to spare. */
    private static final long TOLERANCE = 2_000_000_000L;

    private final long boundNanos;
    private final long recoveryNanos;

    NoOrphan(long boundNanos, long recoveryNanos) {
        this.boundNanos = boundNanos;
        this.recoveryNanos = recoveryNanos;
    }

    @Override
    public List<Violation> check(Calls calls) {
        List<Violation> found = new ArrayList<>();
        Calm calm = Calm.of(calls, recoveryNanos);
        Map<String, Long> lastHeard = lastHeard(calls);
        Set<String> guarded = calls.of(Operation.COMMIT).map(Call::subject).collect(Collectors.toSet());
        Map<String, List<Call>> byKey = calls.bySubject(Operation.ACQUIRE, Operation.RELEASE);
        byKey.forEach((key, all) -> {
            boolean isTold =
                    calls.of(Operation.FORCE_RELEASE, Operation.EXTEND).noneMatch(call -> key.equals(call.subject()));
            if (isTold) {
                new Key(key, guarded.contains(key), all, calm, lastHeard).check(found);
            }
        });
        return found;
    }

    /** When each process was last told something. */
    private static Map<String, Long> lastHeard(Calls calls) {
        Map<String, Long> last = new HashMap<>();
        for (Call call : calls.all()) {
            Event end = call.end();
            if (end != null) {
                last.merge(end.node(), end.nanos(), Math::max);
            }
        }
        return last;
    }

    /** One key, and all that was done to it. */
    private final class Key {
        private final String name;
        private final boolean isGuarded;
        private final List<Call> acquires;
        private final List<Call> releases;
        private final Calm calm;
        private final Map<String, Long> lastHeard;

        Key(String name, boolean isGuarded, List<Call> calls, Calm calm, Map<String, Long> lastHeard) {
            this.name = name;
            this.isGuarded = isGuarded;
            this.acquires = calls.stream()
                    .filter(call -> call.operation() == Operation.ACQUIRE)
                    .toList();
            this.releases = calls.stream()
                    .filter(call -> call.operation() == Operation.RELEASE)
                    .toList();
            this.calm = calm;
            this.lastHeard = lastHeard;
        }

        void check(List<Violation> found) {
            acquires.stream()
                    .filter(call -> call.isFailed() && acquires.stream().noneMatch(other -> mayHold(other, call)))
                    .findFirst()
                    .ifPresent(refused -> found.add(violation(
                            "key '" + name + "' was refused as locked, although nobody could have it", refused)));
        }

        /** Whether {@code acquire} may be why {@code refused} was. */
        private boolean mayHold(Call acquire, Call refused) {
            if (acquire.isSame(refused) || acquire.isFailed() || acquire.began() > refused.done()) {
                return false;
            }
            Event end = acquire.end();
            if (end == null) {
                return calm.nanos(lastHeard(acquire), refused.began()) < ttl(acquire) + TOLERANCE + boundNanos;
            }
            if (acquire.invoke().facts().renewed()) {
                return !isReleased(acquire, refused);
            }
            return acquire.isOk()
                    ? !isReleased(acquire, refused)
                            && (refused.began() < end.nanos() + ttl(acquire) + TOLERANCE || mayGuard(acquire, refused))
                    : calm.nanos(end.nanos(), refused.began()) < boundNanos || isGone(end);
        }

        /** Whether a transaction of the holder may have been open: it had not released the lock, or its process was killed. */
        private boolean mayGuard(Call acquire, Call refused) {
            return isGuarded
                    && (releasesOf(acquire).findAny().isPresent()
                            || calm.nanos(lastHeard(acquire), refused.began()) < boundNanos);
        }

        /** Whether the process may have been killed before it gave the grant back. */
        private boolean isGone(Event end) {
            return lastHeard.getOrDefault(end.node(), 0L) < end.nanos() + boundNanos;
        }

        private long lastHeard(Call call) {
            return Math.max(call.began(), lastHeard.getOrDefault(call.invoke().node(), 0L));
        }

        private boolean isReleased(Call acquire, Call refused) {
            return releasesOf(acquire).anyMatch(release -> release.isBefore(refused));
        }

        private Stream<Call> releasesOf(Call acquire) {
            @Nullable Event end = acquire.end();
            return end == null
                    ? Stream.empty()
                    : releases.stream()
                            .filter(release -> String.valueOf(end.facts().grant())
                                    .equals(release.invoke().facts().grant()));
        }
    }

    private static long ttl(Call acquire) {
        Long lasts = acquire.invoke().facts().lastsNanos();
        return lasts == null ? 0 : lasts;
    }
}
