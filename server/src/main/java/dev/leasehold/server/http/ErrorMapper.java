package dev.leasehold.server.http;

import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Maps errors to responses for one HTTP API: each API has its own statuses and bodies.
 *
 * <p>{@code headers} finds a request header by name: the Querator API encodes an error as the {@code Accept} header wants it.
 */
public interface ErrorMapper {
    /**
     * The response to a failure: of authentication, of a handler, or of the future that it returned (already unwrapped).
     *
     * @param notes fields of the request log, to add to
     */
    Response failure(Function<String, @Nullable String> headers, Throwable failure, Map<String, Object> notes);

    /** The response to a method that the path does not have. */
    Response wrongMethod(Function<String, @Nullable String> headers, String method, Map<String, Object> notes);

    /** The response to a body of more than {@code limit} bytes. */
    Response tooLarge(Function<String, @Nullable String> headers, int limit);
}
