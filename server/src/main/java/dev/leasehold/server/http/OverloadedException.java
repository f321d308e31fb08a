package dev.leasehold.server.http;

/** The bodies in flight use up their budget: the request is refused, and may be repeated after {@link #RETRY_AFTER}. */
public final class OverloadedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The value of the header {@code Retry-After}, in seconds. */
    public static final String RETRY_AFTER = "1";

    public OverloadedException() {
        super(
                "the server is overloaded: the requests and answers in flight use up limits.body-bytes; try again",
                null,
                false,
                false);
    }
}
