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

/** What the queue door answers, read; and what goes wrong on the way, in the words of queues. */
final class QueueAnswers {
    /** What a lease is told that got nothing. */
    private static final String NOTHING = "request timeout; no items";

    private QueueAnswers() {}

    /** The message of an answer that went well; otherwise throws what the server said. */
    static <M extends Message> M message(Answer answer, Parser<M> parser) {
        if (!answer.isOk()) {
            throw refusal(answer);
        }
        if (!answer.contentType().equals(Answer.PROTOBUF)) {
            throw new QueueException(QueueErrorCode.INTERNAL, Foreign.describe(answer));
        }
        try {
            return parser.parseFrom(answer.body());
        } catch (InvalidProtocolBufferException e) {
            throw new QueueException(
                    QueueErrorCode.INTERNAL, "The server's answer cannot be read: is it another version?", e);
        }
    }

    /** Whether a lease got nothing in its time. */
    static boolean isNothing(Answer answer) {
        return answer.status() == 454 && message(answer).startsWith(NOTHING);
    }

    private static QueueException refusal(Answer answer) {
        String message = message(answer);
        return message.isEmpty()
                ? new QueueException(code(answer.status(), ""), Foreign.describe(answer))
                : new QueueException(code(answer.status(), message), message);
    }

    /** What the reply says; empty if it is none. */
    private static String message(Answer answer) {
        try {
            return switch (answer.contentType()) {
                case Answer.PROTOBUF -> Reply.parseFrom(answer.body()).getMessage();
                case Answer.JSON -> text(LockAnswers.JSON.readTree(answer.body()));
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

    /** Why no answer came. */
    static QueueException failure(Throwable failure) {
        if (failure instanceof QueueException known) {
            return known;
        }
        if (failure instanceof Unanswered why) {
            String message = String.valueOf(why.getMessage());
            return switch (why.kind()) {
                case REFUSED, LOST -> new QueueException(QueueErrorCode.SERVICE_UNAVAILABLE, message, why);
                case LATE -> new QueueException(QueueErrorCode.NETWORK_TIMEOUT, message, why);
                case CLOSED -> closed();
            };
        }
        return new QueueException(QueueErrorCode.INTERNAL, "Unexpected failure: " + failure, failure);
    }

    /** What whoever calls a closed client is told. */
    static QueueException closed() {
        return new QueueException(QueueErrorCode.SHUTTING_DOWN, "service is shutting down");
    }
}
