package dev.leasehold.server.http;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/** What the head of a request says about its body, and whether it says it once. */
final class RequestHead {
    private RequestHead() {}

    /**
     * Whether the head can be read in two ways: where the body ends, who is asked, or who asks. The proxy in front of this server
     * may have read it in the other way.
     */
    static boolean isAmbiguous(HttpServerRequest request) {
        MultiMap headers = request.headers();
        String encoding = headers.get("Transfer-Encoding");
        int hosts = headers.getAll("Host").size();
        return (encoding != null && !encoding.equalsIgnoreCase("chunked"))
                || headers.getAll("Authorization").size() > 1
                || hosts > 1
                || (hosts == 0 && request.version() == HttpVersion.HTTP_1_1);
    }

    /** Whether a body follows. */
    static boolean hasBody(HttpServerRequest request) {
        return request.headers().contains("Transfer-Encoding") || announced(request) != 0;
    }

    /** How many bytes the body has; -1 if that is not known. */
    static long announced(HttpServerRequest request) {
        if (request.headers().contains("Transfer-Encoding")) {
            return -1;
        }
        @Nullable String length = request.getHeader("Content-Length");
        try {
            return length == null ? 0 : Long.parseLong(length.strip());
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** Whether the caller waits for a word before it sends the body. */
    static boolean isWaitingToContinue(HttpServerRequest request) {
        return "100-continue".equalsIgnoreCase(request.getHeader("Expect"));
    }
}
