package dev.leasehold.chaos.history;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * An item as a call knew it.
 *
 * @param payload what tells it apart: unique in a run, so what is produced again, for whatever reason, has another. A dead letter
 *     keeps it
 * @param id its id at that time, if the call knew it
 * @param attempts leases so far, if the call knew it, else zero
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ItemFacts(String payload, @Nullable String id, int attempts, Turn turn) {
    @SuppressWarnings("NullAway") // a field that is not in the file is null
    public ItemFacts {
        turn = turn == null ? Turn.NOW : turn;
    }

    /** An item of which only the payload is known. */
    public static ItemFacts of(String payload) {
        return new ItemFacts(payload, null, 0, Turn.NOW);
    }

    public ItemFacts id(String id) {
        return new ItemFacts(payload, id, attempts, turn);
    }

    public ItemFacts attempts(int attempts) {
        return new ItemFacts(payload, id, attempts, turn);
    }

    public ItemFacts turn(Turn turn) {
        return new ItemFacts(payload, id, attempts, turn);
    }
}
