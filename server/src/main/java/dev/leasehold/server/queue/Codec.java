package dev.leasehold.server.queue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import dev.leasehold.server.http.BadContentException;
import dev.leasehold.server.http.Content;
import dev.leasehold.server.http.Replies;
import dev.leasehold.server.http.Request;
import dev.leasehold.server.http.Response;
import dev.leasehold.wire.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Messages as they travel: protobuf or JSON in, protobuf or JSON out, each as its own header says. */
final class Codec {
    private static final JsonFormat.Parser PARSER = JsonFormat.parser();
    private static final JsonFormat.Printer PRINTER = JsonFormat.printer().omittingInsignificantWhitespace();

    private Codec() {}

    /** The message in the request's body. Refuses a request whose answer could not be written as it wants it. */
    @SuppressWarnings("unchecked") // a message's builder and parser give its own type
    static <M extends Message> M read(Request request, M prototype) {
        Content form = Content.ofBody(request);
        try {
            M message = form == Content.PROTOBUF
                    ? (M) prototype.getParserForType().parseFrom(request.body())
                    : (M) fromJson(request.body(), prototype.newBuilderForType());
            Content.ofAnswer(request);
            return message;
        } catch (InvalidProtocolBufferException e) {
            throw new BadContentException("proto: " + e.getMessage());
        } catch (JsonProcessingException e) {
            throw new BadContentException("proto: syntax error: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new BadContentException("proto: the body is not JSON in UTF-8");
        }
    }

    private static Message fromJson(byte[] body, Message.Builder builder) throws IOException {
        StrictJson.check(body, builder.getDescriptorForType());
        PARSER.merge(new String(body, StandardCharsets.UTF_8), builder);
        return builder.build();
    }

    /** The answer that everything went well, in the form that the caller wants. */
    static Response ok(Request request, Message message) {
        return write(Content.ofAnswer(request), 200, message);
    }

    /** The answer that everything went well, and there is no more to say. */
    static Response ok(Request request) {
        return ok(request, Reply.newBuilder().setCode(200).build());
    }

    /** An error in the form that the caller wants. */
    static Response error(Function<String, @Nullable String> headers, int code, @Nullable String message) {
        String text = message == null ? "" : message;
        if (Content.ofError(headers) == Content.JSON) {
            return Replies.json(code, text, null);
        }
        Reply reply = Reply.newBuilder()
                .setCode(code)
                .setCodeText(Replies.text(code))
                .setMessage(text)
                .build();
        return write(Content.PROTOBUF, code, reply).reason(Replies.text(code));
    }

    private static Response write(Content form, int status, Message message) {
        if (form == Content.PROTOBUF) {
            return Response.of(status, form.type(), message.toByteArray());
        }
        try {
            return Response.json(status, PRINTER.print(message));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("an answer cannot be written as JSON", e);
        }
    }
}
