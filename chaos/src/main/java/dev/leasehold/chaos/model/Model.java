package dev.leasehold.chaos.model;

import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that goes from state to state in steps; from each, every step that the rules allow.
 *
 * @param <S> a state: a value, equal if and only if nothing can tell the difference
 */
public interface Model<S> {
    S initial();

    /** All steps that can be taken next. */
    List<Step<S>> steps(S state);

    /** The name of the invariant that this state violates; null if none. It is one of the checker's, and says the same. */
    @Nullable String violation(S state);

    /** How late it is, in ticks. */
    int now(S state);

    /** What was recorded before the first step. */
    default List<Told> before() {
        return List.of();
    }

    /** What is recorded when all is over in this state. */
    default List<Told> after(S last) {
        return List.of();
    }

    /**
     * One step, and what those who take part would have recorded of it.
     *
     * @param told empty if nobody outside could see it
     */
    record Step<S>(String words, S next, List<Told> told) {}

    /** What a worker records. */
    record Told(String worker, Kind kind, Operation operation, String subject, Facts facts) {}
}
