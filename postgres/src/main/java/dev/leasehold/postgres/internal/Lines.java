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

/** The calls that wait for a lane, in a line for each kind. Not thread-safe: whoever has it guards it. */
final class Lines {
    /** How often in a row the kind that has waited longest may be passed over. */
    private static final int PATIENCE = 2;

    private final Map<Kind<?, ?>, Deque<Call<?, ?>>> lines = new LinkedHashMap<>();
    private final int groupLimit;
    private int passedOver;

    /** @param groupLimit the most calls in a group, whatever their kind allows */
    Lines(int groupLimit) {
        this.groupLimit = groupLimit;
    }

    void add(Call<?, ?> call) {
        lines.computeIfAbsent(call.kind(), kind -> new ArrayDeque<>()).add(call);
    }

    boolean isEmpty() {
        return lines.values().stream().allMatch(Deque::isEmpty);
    }

    void forEach(Consumer<Call<?, ?>> action) {
        lines.values().forEach(line -> line.forEach(action));
    }

    void clear() {
        lines.clear();
    }

    /** Takes all calls that were made before that time. */
    List<Call<?, ?>> takeBornBefore(long nanos) {
        List<Call<?, ?>> taken = new ArrayList<>();
        for (Deque<Call<?, ?>> line : lines.values()) {
            line.removeIf(call -> call.ageNanos(nanos) >= 0 && taken.add(call));
        }
        return taken;
    }

    /** Takes the group of the kind whose turn it is, and of those that were sent along with one of its calls. */
    List<Group<?, ?>> next() {
        List<Group<?, ?>> groups = new ArrayList<>(2);
        Kind<?, ?> kind = nextKind();
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
     * The largest group goes first, so that stragglers find company instead of costing a message of their own; the kind that has
     * waited longest goes if it is as large, or has been passed over often enough.
     */
    private @Nullable Kind<?, ?> nextKind() {
        long now = System.nanoTime();
        Kind<?, ?> oldest = null;
        Kind<?, ?> largest = null;
        long age = -1;
        for (Map.Entry<Kind<?, ?>, Deque<Call<?, ?>>> line : lines.entrySet()) {
            Call<?, ?> head = head(line.getValue());
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

    /** How many of a kind could travel now. */
    private int groupSize(@Nullable Kind<?, ?> kind) {
        Deque<Call<?, ?>> line = lines.get(kind);
        return kind == null || line == null ? 0 : Math.min(line.size(), largestGroup(kind));
    }

    private int largestGroup(Kind<?, ?> kind) {
        return Math.min(groupLimit, kind.maxGroup());
    }

    private void takeAlong(Kind<?, ?> first, List<Group<?, ?>> groups) {
        lines.forEach((kind, line) -> {
            if (kind != first && kind.place() > 0 && first.place() > 0 && head(line) != null) {
                take(kind, groups);
            }
        });
        groups.sort(Comparator.comparingInt(Group::place));
    }

    /** Takes the next group of a kind. None if all who were in line have been called off meanwhile, which may be at any moment. */
    @SuppressWarnings("unchecked") // a line holds calls of its one kind
    private <Q, R> void take(Kind<Q, R> kind, List<Group<?, ?>> groups) {
        Deque<Call<?, ?>> line = Objects.requireNonNull(lines.get(kind));
        List<Call<Q, R>> calls = new ArrayList<>();
        Predicate<Q> admission = kind.admission();
        try {
            Call<Q, R> next = (Call<Q, R>) head(line);
            while (next != null && calls.size() < largestGroup(kind)) {
                if (!admission.test(next.request()) && !calls.isEmpty()) {
                    break;
                }
                calls.add(next);
                line.remove();
                next = (Call<Q, R>) head(line);
            }
            if (!calls.isEmpty()) {
                groups.add(new Group<>(kind, calls));
            }
        } catch (RuntimeException | Error e) {
            backInLine(line, calls);
            throw e;
        }
    }

    /** What could not be taken stays in line, so that it is answered, or fails when its time is over. */
    private static <Q, R> void backInLine(Deque<Call<?, ?>> line, List<Call<Q, R>> calls) {
        for (int i = calls.size() - 1; i >= 0; i--) {
            if (line.peek() != calls.get(i)) {
                line.addFirst(calls.get(i));
            }
        }
    }

    /** The first that has not been answered or called off; those that have are dropped. */
    private static @Nullable Call<?, ?> head(Deque<Call<?, ?>> line) {
        Call<?, ?> head;
        while ((head = line.peek()) != null && head.isOver()) {
            line.remove();
        }
        return head;
    }
}
