package dev.leasehold.postgres.internal;

import dev.leasehold.LeaseholdException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Calls of one statement that are sent together. */
final class Group<Q, R> {
    private final BatchedStatement<Q, R> kind;
    private final List<PendingCall<Q, R>> calls;
    private final Sql sql;

    Group(BatchedStatement<Q, R> kind, List<PendingCall<Q, R>> calls) {
        this.kind = kind;
        this.calls = calls;
        this.sql = kind.sql(calls);
    }

    int messageOrder() {
        return kind.messageOrder();
    }

    Sql sql() {
        return sql;
    }

    List<PendingCall<Q, R>> calls() {
        return calls;
    }

    /** Whether one of its calls was sent together with others. */
    boolean isAccompanied() {
        return calls.stream().anyMatch(PendingCall::isAccompanied);
    }

    int bind(Connection connection, PreparedStatement statement, int first) throws SQLException {
        return sql.bind(connection, statement, first, kind.values(calls));
    }

    /** Completes the calls, and returns those to repeat. */
    List<PendingCall<?, ?>> answer(List<ResultSet> sets) throws SQLException {
        List<PendingCall<Q, R>> busy = new ArrayList<>();
        kind.answerFromAll(sets, calls, busy);
        return List.copyOf(busy);
    }

    boolean isHint() {
        return kind.isHint();
    }

    /** Whether its only call waits for an advisory lock although its caller has gone. */
    boolean isAbandonedWait() {
        return PendingCall.isWaiting(calls) && calls.get(0).isOver();
    }

    /** Whether its statement may have been an optimistic one: those are for calls that were not sent before. */
    boolean mayBeOptimistic() {
        return !PendingCall.isRepeatedIn(calls);
    }

    /** The same calls once more; from now on they count as repeated. */
    Group<Q, R> repeated() {
        calls.forEach(PendingCall::repeat);
        return new Group<>(kind, calls);
    }

    /** What to run separately to find the call that fails: the groups, or the halves of one. */
    static List<Group<?, ?>> apart(List<Group<?, ?>> groups) {
        Group<?, ?> only = groups.get(0);
        return groups.size() > 1 || only.calls.size() == 1 ? groups : only.halves();
    }

    private List<Group<?, ?>> halves() {
        int half = calls.size() / 2;
        return List.of(new Group<>(kind, calls.subList(0, half)), new Group<>(kind, calls.subList(half, calls.size())));
    }

    static void fail(List<Group<?, ?>> groups, LeaseholdException failure, boolean unknown) {
        groups.forEach(group -> group.fail(failure, unknown));
    }

    /** Fails the calls that have no result; {@code unknown} if they may have been committed all the same. */
    void fail(LeaseholdException failure, boolean unknown) {
        for (PendingCall<Q, R> call : calls) {
            if (unknown && !call.isAnswered()) {
                kind.onOutcomeUnknown(call.request());
            }
            call.fail(failure);
        }
    }
}
