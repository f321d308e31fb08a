package dev.leasehold.postgres.internal;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A kind of call: how a group of them is bound to its .sql file, and how the rows that come back are their answers. */
public interface BatchedStatement<Q, R> {
    /** The statement for a group. */
    Sql sql(List<PendingCall<Q, R>> group);

    /** How many may travel together. */
    int maxGroup();

    /**
     * Who may join one group, asked call by call in their order; the first it refuses waits for the next group. A call alone is
     * always taken.
     */
    default Predicate<Q> admission() {
        return request -> true;
    }

    /**
     * Where a group of this kind stands in a message, and so a commit, that it shares with groups of other kinds; zero if it
     * shares none.
     */
    default int messageOrder() {
        return 0;
    }

    /**
     * What a call that has tried in vain may wait for, alone, for {@link PendingCall#waitMillis}: of those for the same only one waits. Null:
     * it goes on trying.
     */
    default @Nullable String waitsFor(PendingCall<Q, R> call) {
        return null;
    }

    /** Whether one of the {@link WaitingLanes} is reserved for this kind and others like it: those that keep what somebody has. */
    default boolean hasReservedLane() {
        return false;
    }

    /** Whether its calls are hints, which are not repeated if they fail. */
    default boolean isHint() {
        return false;
    }

    /** The parameters for a group. */
    Map<String, @Nullable Object> values(List<PendingCall<Q, R>> group);

    /**
     * Answers every call of a group whose transaction has been committed: with a value, with a failure of its own, or by adding
     * it to {@code busy} to be asked again.
     *
     * @param rows what the last of its statements returned
     */
    void answer(ResultSet rows, List<PendingCall<Q, R>> group, List<PendingCall<Q, R>> busy) throws SQLException;

    /** The same, given what each of its statements returned, for a kind that needs more than the last. */
    default void answerFromAll(List<ResultSet> sets, List<PendingCall<Q, R>> group, List<PendingCall<Q, R>> busy)
            throws SQLException {
        answer(sets.get(sets.size() - 1), group, busy);
    }

    /** The caller had gone when the answer came. */
    default void onAbandoned(Q request, R value) {}

    /** What to tell a call that found its row locked by another transaction until its time was over. */
    default String busyMessage() {
        return "Another transaction has kept the row locked all the while";
    }

    /** It was sent, and nobody knows what became of it: the connection was lost, or its answer made no sense. */
    default void onOutcomeUnknown(Q request) {}
}
