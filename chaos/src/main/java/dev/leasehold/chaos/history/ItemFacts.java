package dev.leasehold.chaos.history;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * An item as a call knew it.
 *
 * @param payload what tells it apart: unique in a run, so what is produced again, for whatever reason, has another. A dead letter
 *     keeps it. Of a long one the beginning and a digest
 * @param id its id at that time, if the call knew it
 * @param attempts leases so far, if the call knew it, else zero
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ItemFacts(String payload, @Nullable String id, int attempts, Turn turn) {
    private static final int LONGEST = 200;
    private static final int BEGINNING = 60;

    @SuppressWarnings("NullAway") // a field that is not in the file is null
    public ItemFacts {
        turn = turn == null ? Turn.NOW : turn;
    }

    /** An item of which only the payload is known. */
    public static ItemFacts of(String payload) {
        String name = payload.length() <= LONGEST
                ? payload
                : payload.substring(0, BEGINNING) + " " + payload.length() + " " + Digest.of(payload);
        return new ItemFacts(name, null, 0, Turn.NOW);
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
