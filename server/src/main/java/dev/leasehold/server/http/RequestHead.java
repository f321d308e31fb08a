package dev.leasehold.server.http;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the head of a request: its size, the length of its body, and whether it is ambiguous. */
final class RequestHead {
    /** The request line without method and path, and the empty line at the end of the head. */
    private static final int LINE_REST = "  HTTP/1.1\r\n\r\n".length();

    private static final int HEADER_REST = ": \r\n".length();

    private RequestHead() {}

    /**
     * Whether the head can be read in two ways: where the body ends, who is asked, or who asks. The proxy in transport of this server
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

    /** How many bytes the head has: the request line and the headers, with their separators. */
    static int size(HttpServerRequest request) {
        int size = request.method().name().length() + request.uri().length() + LINE_REST;
        for (Map.Entry<String, String> header : request.headers()) {
            size += header.getKey().length() + header.getValue().length() + HEADER_REST;
        }
        return size;
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
