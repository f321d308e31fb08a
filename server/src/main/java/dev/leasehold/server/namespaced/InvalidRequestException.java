package dev.leasehold.server.namespaced;

import java.util.List;

/** An invalid request: 400, with all errors. */
final class InvalidRequestException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> details;

    private InvalidRequestException(String message, List<String> details) {
        super(message, null, false, false);
        this.details = List.copyOf(details);
    }

    static InvalidRequestException body(List<String> details) {
        return new InvalidRequestException("JSON validation failed", details);
    }

    static InvalidRequestException path(List<String> details) {
        return new InvalidRequestException("Validation failed", details);
    }

    List<String> details() {
        return details;
    }
}
