package dev.leasehold.server.http;

import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A family of doors: how it says no. Everything that goes wrong on its paths is answered in its own shape.
 *
 * <p>{@code headers} finds a header of the request by its name: a family that has several forms answers in the one that was
 * asked for.
 */
public interface Family {
    /** The answer to a failure: of authentication, of a handler, or of the future that it returned (already unwrapped). */
    Response failure(Function<String, @Nullable String> headers, Throwable failure);

    /** The same, for families that have a word about it for the request log. */
    default Response failure(Function<String, @Nullable String> headers, Throwable failure, Map<String, Object> notes) {
        return failure(headers, failure);
    }

    /** The answer to a method that the path does not know. */
    Response wrongMethod(Function<String, @Nullable String> headers, String method);

    /** The same, for families that have a word about it for the request log. */
    default Response wrongMethod(Function<String, @Nullable String> headers, String method, Map<String, Object> notes) {
        return wrongMethod(headers, method);
    }

    /** The answer to a body of more than {@code limit} bytes. */
    Response tooLarge(Function<String, @Nullable String> headers, int limit);
}
