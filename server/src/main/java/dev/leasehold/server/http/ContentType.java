package dev.leasehold.server.http;

import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The content types of the Querator API and the native lock API, by {@code Content-Type} and {@code Accept}. */
public enum ContentType {
    JSON("application/json"),
    PROTOBUF("application/protobuf");

    private final String type;

    ContentType(String type) {
        this.type = type;
    }

    public String type() {
        return type;
    }

    /** The form of the request's body. */
    public static ContentType ofBody(Request request) {
        String header = request.header("Content-Type");
        ContentType content = of(header);
        if (content == null) {
            throw new BadContentException(
                    "Content-Type header '" + header + "' is invalid format or unrecognized content type");
        }
        return content;
    }

    /** The form of the request's body, which must be said: a web page can send a body of no type to any server. */
    public static ContentType ofTypedBody(Request request) {
        if (request.header("Content-Type") == null) {
            throw new BadContentException("a Content-Type header is required, such as application/json");
        }
        return ofBody(request);
    }

    /** The form in which the caller wants the answer. */
    public static ContentType ofAnswer(Request request) {
        String header = request.header("Accept");
        ContentType content = of(header);
        if (content == null) {
            throw new BadContentException("Accept header '" + header
                    + "' is invalid format or unrecognized content type, only"
                    + " [application/json,application/protobuf] are supported by this method");
        }
        return content;
    }

    /** The form for an error: JSON where the caller's wish cannot be read. */
    public static ContentType ofError(Function<String, @Nullable String> headers) {
        return of(headers.apply("Accept")) == PROTOBUF ? PROTOBUF : JSON;
    }

    private static @Nullable ContentType of(@Nullable String header) {
        String value = header == null ? "" : header.split("[;,]", 2)[0].trim().toLowerCase(Locale.ROOT);
        return switch (value) {
            case "", "*/*", "application/*", "application/json" -> JSON;
            case "application/protobuf" -> PROTOBUF;
            default -> null;
        };
    }
}
