package dev.leasehold.postgres.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The calls that wait for a lane, in a line for each statement. Not thread-safe: guarded by its owner. */
final class Lines {
    /** How often in a row the line that has waited longest may be passed over. */
    private static final int PATIENCE = 2;

    private final Map<BatchedStatement<?, ?>, Deque<PendingCall<?, ?>>> lines = new LinkedHashMap<>();
    private final int groupLimit;
    private int passedOver;

    /** @param groupLimit the most calls in a group, whatever their statement allows */
    Lines(int groupLimit) {
        this.groupLimit = groupLimit;
    }

    void add(PendingCall<?, ?> call) {
        lines.computeIfAbsent(call.kind(), kind -> new ArrayDeque<>()).add(call);
    }

    boolean isEmpty() {
        return lines.values().stream().allMatch(Deque::isEmpty);
    }

    void forEach(Consumer<PendingCall<?, ?>> action) {
        lines.values().forEach(line -> line.forEach(action));
    }

    void clear() {
        lines.clear();
    }

    /** Takes all calls that were made before that time. */
    List<PendingCall<?, ?>> takeBornBefore(long nanos) {
        List<PendingCall<?, ?>> taken = new ArrayList<>();
        for (Deque<PendingCall<?, ?>> line : lines.values()) {
            line.removeIf(call -> call.ageNanos(nanos) >= 0 && taken.add(call));
        }
        return taken;
    }

    /** Takes the next group, and the groups that share its message because calls were sent together. */
    List<Group<?, ?>> next() {
        List<Group<?, ?>> groups = new ArrayList<>(2);
        BatchedStatement<?, ?> kind = nextKind();
        while (kind != null && groups.isEmpty()) {
            take(kind, groups);
            if (groupLimit > 1 && groups.stream().anyMatch(Group::isAccompanied)) {
                takeAlong(kind, groups);
            }
            kind = groups.isEmpty() ? nextKind() : kind;
        }
        lines.values().removeIf(Deque::isEmpty);
        return groups;
    }

    /**
     * The largest group goes first, so that the others grow meanwhile instead of costing a message each. The line that has waited longest
     * goes if it is as large, or was passed over often enough.
     */
    private @Nullable BatchedStatement<?, ?> nextKind() {
        long now = System.nanoTime();
        BatchedStatement<?, ?> oldest = null;
        BatchedStatement<?, ?> largest = null;
        long age = -1;
        for (Map.Entry<BatchedStatement<?, ?>, Deque<PendingCall<?, ?>>> line : lines.entrySet()) {
            PendingCall<?, ?> head = head(line.getValue());
            if (head != null && head.ageNanos(now) > age) {
                age = head.ageNanos(now);
                oldest = line.getKey();
            }
            if (groupSize(line.getKey()) > groupSize(largest)) {
                largest = line.getKey();
            }
        }
        boolean passOver = passedOver < PATIENCE && groupSize(largest) > groupSize(oldest);
        passedOver = passOver ? passedOver + 1 : 0;
        return passOver ? largest : oldest;
    }

    /** How large a group of this statement would be now. */
    private int groupSize(@Nullable BatchedStatement<?, ?> kind) {
        Deque<PendingCall<?, ?>> line = lines.get(kind);
        return kind == null || line == null ? 0 : Math.min(line.size(), largestGroup(kind));
    }

    private int largestGroup(BatchedStatement<?, ?> kind) {
        return Math.min(groupLimit, kind.maxGroup());
    }

    private void takeAlong(BatchedStatement<?, ?> first, List<Group<?, ?>> groups) {
        lines.forEach((kind, line) -> {
            if (kind != first && kind.messageOrder() > 0 && first.messageOrder() > 0 && head(line) != null) {
                take(kind, groups);
            }
        });
        groups.sort(Comparator.comparingInt(Group::messageOrder));
    }

    /** Takes the next group of a statement. None if all calls in line were cancelled meanwhile, which may be at any moment. */
    @SuppressWarnings("unchecked") // a line holds calls of its one statement
    private <Q, R> void take(BatchedStatement<Q, R> kind, List<Group<?, ?>> groups) {
        Deque<PendingCall<?, ?>> line = Objects.requireNonNull(lines.get(kind));
        List<PendingCall<Q, R>> calls = new ArrayList<>();
        Predicate<Q> admission = kind.admission();
        try {
            PendingCall<Q, R> next = (PendingCall<Q, R>) head(line);
            while (next != null && calls.size() < largestGroup(kind)) {
                if (!admission.test(next.request()) && !calls.isEmpty()) {
                    break;
                }
                calls.add(next);
                line.remove();
                next = (PendingCall<Q, R>) head(line);
            }
            if (!calls.isEmpty()) {
                groups.add(new Group<>(kind, calls));
            }
        } catch (RuntimeException | Error e) {
            backInLine(line, calls);
            throw e;
        }
    }

    /** Calls that could not be taken stay in line, so that they complete, or fail at their timeout. */
    private static <Q, R> void backInLine(Deque<PendingCall<?, ?>> line, List<PendingCall<Q, R>> calls) {
        for (int i = calls.size() - 1; i >= 0; i--) {
            if (line.peek() != calls.get(i)) {
                line.addFirst(calls.get(i));
            }
        }
    }

    /** The first call that is neither complete nor cancelled; those before it are dropped. */
    private static @Nullable PendingCall<?, ?> head(Deque<PendingCall<?, ?>> line) {
        PendingCall<?, ?> head;
        while ((head = line.peek()) != null && head.isOver()) {
            line.remove();
        }
        return head;
    }
}
