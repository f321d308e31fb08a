package dev.leasehold.server.http;

/**
 * One line of the list of routes.
 *
 * @param method the one method it answers
 * @param path the path; a part in braces stands for some text without a slash
 * @param operation its name in metrics, for example {@code queue.lease}
 * @param bodyLimit the most bytes that a body may have
 * @param isOpen whether it needs no credential; then it takes no body
 */
public record Route(
        String method,
        String path,
        String operation,
        ErrorMapper errors,
        int bodyLimit,
        boolean isOpen,
        Handler handler) {
    public static final int NO_BODY = 0;
}
