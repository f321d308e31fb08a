package dev.leasehold.server.lock;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.leasehold.lock.LockException;
import dev.leasehold.server.http.BadContentException;
import dev.leasehold.server.http.ContentType;
import dev.leasehold.server.http.Request;
import dev.leasehold.spi.GoDuration;
import dev.leasehold.spi.Texts;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields of a request in JSON: those that are known and no others, each of the type that is expected. */
final class JsonFields {
    private static final ObjectReader READER = JsonMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .readerFor(JsonNode.class);

    /** The first byte of the mark, which the parser would skip. */
    private static final byte BYTE_ORDER_MARK = (byte) 0xef;

    private final ObjectNode body;

    private JsonFields(ObjectNode body) {
        this.body = body;
    }

    static JsonFields of(Request request, String... known) {
        if (ContentType.ofTypedBody(request) != ContentType.JSON || ContentType.ofAnswer(request) != ContentType.JSON) {
            throw new BadContentException("locks are spoken about in application/json only");
        }
        JsonFields fields = new JsonFields(parse(request.body()));
        fields.refuseOthers(Arrays.asList(known));
        return fields;
    }

    private static ObjectNode parse(byte[] body) {
        try {
            JsonNode node = READER.readValue(body);
            if (node instanceof ObjectNode object && body[0] != BYTE_ORDER_MARK) {
                return object;
            }
        } catch (IOException e) {
            throw new BadContentException("the body is not JSON: expected an object such as {\"key\": \"ledger:7\"}");
        }
        throw new BadContentException("the body is not a JSON object: expected one such as {\"key\": \"ledger:7\"}");
    }

    private void refuseOthers(List<String> known) {
        Iterator<String> names = body.fieldNames();
        while (names.hasNext()) {
            String name = names.next();
            if (!known.contains(name)) {
                throw LockException.invalidArgument(
                        "unknown field '" + name + "'; expected " + String.join(", ", known));
            }
        }
    }

    boolean has(String name) {
        return body.hasNonNull(name);
    }

    @Nullable String text(String name) {
        JsonNode value = body.get(name);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isTextual()) {
            throw LockException.invalidArgument(name + " must be a string");
        }
        if (Texts.hasLoneSurrogate(value.textValue())) {
            throw LockException.invalidArgument(name + " must not have a lone surrogate, which is half of a character");
        }
        return value.textValue();
    }

    String text(String name, String otherwise) {
        String value = text(name);
        return value == null ? otherwise : value;
    }

    String required(String name) {
        String value = text(name);
        if (value == null || value.isBlank()) {
            throw LockException.invalidArgument(name + " is required");
        }
        return value;
    }

    int number(String name, int otherwise) {
        JsonNode value = body.get(name);
        if (value == null || value.isNull()) {
            return otherwise;
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt()) {
            throw LockException.invalidArgument(name + " must be a whole number");
        }
        return value.intValue();
    }

    /** A duration as text, such as 1500ms or 30s. */
    Duration duration(String name, Duration otherwise, Duration most) {
        String value = text(name);
        if (value == null) {
            return otherwise;
        }
        Duration duration = parseDuration(name, value);
        if (duration.compareTo(most) > 0) {
            throw LockException.invalidArgument(name + " is too long; at most " + GoDuration.format(most)
                    + " is possible, but " + GoDuration.format(duration) + " was requested");
        }
        return duration;
    }

    private static Duration parseDuration(String name, String value) {
        try {
            return GoDuration.parse(value);
        } catch (IllegalArgumentException e) {
            throw LockException.invalidArgument(
                    name + " is invalid; " + e.getMessage() + " - expected format: 1500ms, 30s or 5m");
        }
    }
}
