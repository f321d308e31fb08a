package dev.leasehold.server.queue;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import dev.leasehold.server.http.BadContentException;
import dev.leasehold.server.http.ContentType;
import dev.leasehold.server.http.ErrorReplies;
import dev.leasehold.server.http.Request;
import dev.leasehold.server.http.Response;
import dev.leasehold.wire.Reply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Decodes and encodes messages, as protobuf or JSON by {@code Content-Type} and {@code Accept}. */
final class MessageCodec {
    private static final int MOST_BUILT = 65_536;
    private static final int LARGE = 65_536;
    private static final JsonFormat.Parser PARSER = JsonFormat.parser();
    private static final JsonFormat.Printer PRINTER = JsonFormat.printer().omittingInsignificantWhitespace();

    private MessageCodec() {}

    /** The message in the request's body. Refuses a request whose answer could not be written as it wants it. */
    static <M extends Message> M read(Request request, M prototype) {
        return read(request, prototype, count -> {});
    }

    /**
     * The same for a message with a list. An element takes two bytes in the body and a hundred times that in memory, so a list that
     * is far too long is refused before it is built.
     *
     * @param refuse throws what is said of a list of so many elements
     */
    @SuppressWarnings("unchecked") // a message's builder and parser give its own type
    static <M extends Message> M read(Request request, M prototype, IntConsumer refuse) {
        ContentType form = ContentType.ofBody(request);
        try {
            M message = form == ContentType.PROTOBUF
                    ? (M) fromProtobuf(request.body(), prototype, refuse)
                    : (M) fromJson(request.body(), prototype.newBuilderForType(), refuse);
            ContentType.ofAnswer(request);
            return message;
        } catch (InvalidProtocolBufferException e) {
            throw new BadContentException("proto: " + e.getMessage());
        } catch (JsonProcessingException e) {
            throw new BadContentException("proto: syntax error" + where(e.getLocation()) + ": the body is not JSON");
        } catch (IOException e) {
            throw new BadContentException("proto: the body is not JSON in UTF-8");
        }
    }

    /** The parser's message would repeat its input, which may be a payload. */
    private static String where(@Nullable JsonLocation at) {
        return at == null ? "" : " (line " + at.getLineNr() + ":" + at.getColumnNr() + ")";
    }

    private static Message fromProtobuf(byte[] body, Message prototype, IntConsumer refuse) throws IOException {
        checkLength(RepeatedFields.longest(body, prototype.getDescriptorForType()), refuse);
        return DiscardUnknownFieldsParser.wrap(prototype.getParserForType()).parseFrom(body);
    }

    private static void checkLength(int longest, IntConsumer refuse) {
        if (longest > MOST_BUILT) {
            refuse.accept(longest);
        }
    }

    private static Message fromJson(byte[] body, Message.Builder builder, IntConsumer refuse) throws IOException {
        checkLength(StrictJson.check(body, builder.getDescriptorForType()), refuse);
        PARSER.merge(decode(body), builder);
        return builder.build();
    }

    /** Invalid UTF-8 is refused, not replaced: two names must not become the same. */
    private static String decode(byte[] body) throws IOException {
        String text = StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(body))
                .toString();
        if (text.startsWith("\ufeff")) {
            throw new InvalidProtocolBufferException("syntax error: a byte-order mark is not JSON");
        }
        return text;
    }

    /** The answer that everything went well, in the form that the caller wants. */
    static Response ok(Request request, Message message) {
        return write(ContentType.ofAnswer(request), 200, message);
    }

    /** The answer that everything went well, and there is no more to say. */
    static Response ok(Request request) {
        return ok(request, Reply.newBuilder().setCode(200).build());
    }

    /** An error in the form that the caller wants. */
    static Response error(Function<String, @Nullable String> headers, int code, @Nullable String message) {
        String text = message == null ? "" : message;
        if (ContentType.ofError(headers) == ContentType.JSON) {
            return ErrorReplies.json(code, text, null);
        }
        Reply reply = Reply.newBuilder()
                .setCode(code)
                .setCodeText(ErrorReplies.text(code))
                .setMessage(text)
                .build();
        return write(ContentType.PROTOBUF, code, reply).reason(ErrorReplies.text(code));
    }

    private static Response write(ContentType form, int status, Message message) {
        if (form == ContentType.PROTOBUF) {
            return Response.of(status, form.type(), message.toByteArray());
        }
        try {
            int size = message.getSerializedSize();
            return size > LARGE
                    ? Response.of(status, Response.JSON, json(message, size))
                    : Response.json(status, PRINTER.print(message));
        } catch (IOException e) {
            throw new IllegalStateException("an answer cannot be written as JSON", e);
        }
    }

    /** Written straight into bytes: a text in between would take the same memory twice more. */
    private static byte[] json(Message message, int size) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(size / 2 * 3);
        try (Writer writer = new OutputStreamWriter(bytes, StandardCharsets.UTF_8)) {
            PRINTER.appendTo(message, writer);
        }
        return bytes.toByteArray();
    }
}
