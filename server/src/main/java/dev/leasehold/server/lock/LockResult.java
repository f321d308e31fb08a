package dev.leasehold.server.lock;

import dev.leasehold.server.http.Request;
import java.util.Locale;

/** The outcome of a lock call, for the request log and the metrics: the status is 200 for contention too. */
enum LockResult {
    SUCCESS,
    /** Somebody else has it, or the caller does not. */
    CONFLICT,
    /** Nobody has it. */
    NOT_FOUND;

    void note(Request request) {
        request.notes().put("lock_result", name().toLowerCase(Locale.ROOT));
        if (this == CONFLICT) {
            request.notes().put("outcome", "contention");
        }
    }

    static LockResult found(boolean is) {
        return is ? SUCCESS : NOT_FOUND;
    }
}
