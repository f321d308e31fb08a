package dev.leasehold.server.namespaced;

import dev.leasehold.server.http.Request;
import java.util.Locale;
import java.util.Set;

/** The client accepts no content type of this API: 406. */
final class NotAcceptableException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final Set<String> SPOKEN = Set.of("*/*", "application/*", "application/json", "application/*+json");

    private NotAcceptableException() {
        super("answers are in application/json only", null, false, false);
    }

    /** Refuses clients that do not accept JSON. Comes first: nothing may happen whose response cannot be sent. */
    static void check(Request request) {
        String accept = request.header("Accept");
        if (accept == null || accept.isBlank()) {
            return;
        }
        for (String range : accept.split(",", -1)) {
            if (isSpoken(range.toLowerCase(Locale.ROOT))) {
                return;
            }
        }
        throw new NotAcceptableException();
    }

    private static boolean isSpoken(String range) {
        String[] parts = range.split(";", -1);
        for (int i = 1; i < parts.length; i++) {
            if (parts[i].trim().matches("q=0(\\.0*)?")) {
                return false;
            }
        }
        return SPOKEN.contains(parts[0].trim());
    }
}
