package dev.leasehold.postgres.internal;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A statement for a group of calls: binds the group to a .sql file, and maps the rows that come back to results. */
public interface BatchedStatement<Q, R> {
    /** The statement for a group. */
    Sql sql(List<PendingCall<Q, R>> group);

    /** The largest group. */
    int maxGroup();

    /**
     * Which calls may join one group. It is tested call by call in their order; the first call that it refuses starts the next group. A
     * call alone is always sent.
     */
    default Predicate<Q> admission() {
        return request -> true;
    }

    /**
     * The position of a group of this statement in a message, and so a commit, that it shares with groups of other statements; zero if it
     * shares none.
     */
    default int messageOrder() {
        return 0;
    }

    /**
     * The lock that a call may wait for after several tries, alone, for {@link PendingCall#waitMillis}. Of the calls for one lock only one
     * waits. Null: the call goes on trying.
     */
    default @Nullable String waitsFor(PendingCall<Q, R> call) {
        return null;
    }

    /** Whether one of the {@link WaitingLanes} is reserved for this statement and others like it: extensions of locks that are held. */
    default boolean hasReservedLane() {
        return false;
    }

    /** Whether its calls are hints, which are not retried. */
    default boolean isHint() {
        return false;
    }

    /** The parameters for a group. */
    Map<String, @Nullable Object> values(List<PendingCall<Q, R>> group);

    /**
     * Completes every call of a group whose transaction has committed: with a value, with a failure of its own, or by adding it to
     * {@code busy}, to be repeated.
     *
     * @param rows the result of the last statement in the file
     */
    void answer(ResultSet rows, List<PendingCall<Q, R>> group, List<PendingCall<Q, R>> busy) throws SQLException;

    /** The same, with the results of all statements in the file. */
    default void answerFromAll(List<ResultSet> sets, List<PendingCall<Q, R>> group, List<PendingCall<Q, R>> busy)
            throws SQLException {
        answer(sets.get(sets.size() - 1), group, busy);
    }

    /** The caller had gone when the result came: undoes the call, if that is needed. */
    default void onAbandoned(Q request, R value) {}

    /** The message for a call that found its row locked by another transaction until its timeout. */
    default String busyMessage() {
        return "Another transaction has kept the row locked all the while";
    }

    /** The request was sent and its outcome is unknown: the connection was lost, or the result could not be read. */
    default void onOutcomeUnknown(Q request) {}
}
