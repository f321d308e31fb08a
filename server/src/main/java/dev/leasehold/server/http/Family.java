package dev.leasehold.server.http;

/** A family of doors: how it says no. Everything that goes wrong on its paths is answered in its own shape. */
public interface Family {
    /** The answer to a failure: of authentication, of a handler, or of the future that it returned (already unwrapped). */
    Response failure(Throwable failure);

    /** The answer to a method that the path does not know. */
    Response wrongMethod(String method);

    /** The answer to a body of more than {@code limit} bytes. */
    Response tooLarge(int limit);
}
