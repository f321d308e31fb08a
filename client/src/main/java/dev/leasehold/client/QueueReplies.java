package dev.leasehold.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.wire.Reply;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Messages of queue replies, and errors and failed calls as {@link QueueException}. */
final class QueueReplies {
    /** The beginning of the message of a lease without items. */
    private static final String NOTHING = "request timeout; no items";

    private QueueReplies() {}

    /** The message of a successful reply; otherwise throws the error of the server. */
    static <M extends Message> M message(HttpReply reply, Parser<M> parser) {
        if (!reply.isOk()) {
            throw refusal(reply);
        }
        if (!reply.contentType().equals(HttpReply.PROTOBUF)) {
            throw new QueueException(QueueErrorCode.INTERNAL, UnrecognizedResponse.describe(reply));
        }
        try {
            return parser.parseFrom(reply.body());
        } catch (InvalidProtocolBufferException e) {
            throw new QueueException(
                    QueueErrorCode.INTERNAL, "The server's answer cannot be read: is it another version?", e);
        }
    }

    /** Whether a lease ended without items. */
    static boolean isNothing(HttpReply reply) {
        return reply.status() == 454 && message(reply).startsWith(NOTHING);
    }

    private static QueueException refusal(HttpReply reply) {
        String message = message(reply);
        return message.isEmpty()
                ? new QueueException(code(reply.status(), ""), UnrecognizedResponse.describe(reply))
                : new QueueException(code(reply.status(), message), message);
    }

    /** The text of an error; empty if the body has none. */
    private static String message(HttpReply reply) {
        try {
            return switch (reply.contentType()) {
                case HttpReply.PROTOBUF -> Reply.parseFrom(reply.body()).getMessage();
                case HttpReply.JSON -> text(LockReplies.JSON.readTree(reply.body()));
                default -> "";
            };
        } catch (IOException e) {
            return "";
        }
    }

    private static String text(@Nullable JsonNode reply) {
        return reply == null ? "" : reply.path("message").asText();
    }

    private static QueueErrorCode code(int status, String message) {
        return switch (status) {
            case 400 -> refused(message);
            case 401, 403, 407 -> QueueErrorCode.AUTH_FAILED;
            case 408, 504 -> QueueErrorCode.NETWORK_TIMEOUT;
            case 429 -> QueueErrorCode.RATE_LIMITED;
            case 453 -> QueueErrorCode.SHUTTING_DOWN;
            case 454 -> retryLater(message);
            case 502, 503 -> QueueErrorCode.SERVICE_UNAVAILABLE;
            default -> QueueErrorCode.INTERNAL;
        };
    }

    private static QueueErrorCode refused(String message) {
        if (message.startsWith("queue does not exist;")) {
            return QueueErrorCode.NO_SUCH_QUEUE;
        }
        if (message.startsWith("invalid queue; ") && message.endsWith(" already exists")) {
            return QueueErrorCode.ALREADY_EXISTS;
        }
        if (message.startsWith("invalid storage id; ") && message.endsWith(" does not exist")) {
            return QueueErrorCode.NO_SUCH_ITEM;
        }
        if (message.startsWith("item(s) cannot be ") && message.endsWith(" is not marked as leased")) {
            return QueueErrorCode.NOT_LEASED;
        }
        return message.startsWith("duplicate client id;")
                ? QueueErrorCode.DUPLICATE_CLIENT
                : QueueErrorCode.INVALID_ARGUMENT;
    }

    private static QueueErrorCode retryLater(String message) {
        if (message.startsWith("partition not ")) {
            return QueueErrorCode.PARTITION_UNAVAILABLE;
        }
        return message.startsWith("request timeout;")
                ? QueueErrorCode.NETWORK_TIMEOUT
                : QueueErrorCode.SERVICE_UNAVAILABLE;
    }

    /** Why no reply came. */
    static QueueException failure(Throwable failure) {
        if (failure instanceof QueueException known) {
            return known;
        }
        if (failure instanceof NoReplyException why) {
            String message = String.valueOf(why.getMessage());
            return switch (why.kind()) {
                case REFUSED, LOST -> new QueueException(QueueErrorCode.SERVICE_UNAVAILABLE, message, why);
                case LATE -> new QueueException(QueueErrorCode.NETWORK_TIMEOUT, message, why);
                case CLOSED -> closed();
            };
        }
        return new QueueException(QueueErrorCode.INTERNAL, "Unexpected failure: " + failure, failure);
    }

    /** The failure of calls on a closed client. */
    static QueueException closed() {
        return new QueueException(QueueErrorCode.SHUTTING_DOWN, "service is shutting down");
    }
}
