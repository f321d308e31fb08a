package dev.leasehold.server.namespaced;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The body of a request, validated with the messages of a draft-07 schema: first each property, then missing ones, then unknown ones.
 *
 * <p>Text after the JSON value is ignored, and of a property that comes twice the last one counts.
 */
record LockRequestBody(String instanceId, Duration lease) {
    private static final ObjectReader READER = JsonMapper.builder().build().reader();
    private static final String UNKNOWN_TOKEN = "Unrecognized token";
    private static final String INSTANCE_ID = "instanceId";
    private static final String LEASE_DURATION = "leaseDuration";
    private static final String PATTERN = "^[a-zA-Z0-9_-]+$";
    private static final Pattern PLAIN = Pattern.compile("[a-zA-Z0-9_-]+");
    private static final int LEAST_LENGTH = 3;
    private static final int MOST_LENGTH = 64;
    private static final int LEAST_SECONDS = 1;
    private static final int MOST_SECONDS = 86_400;

    /** The body of acquire and renew. */
    static LockRequestBody withLease(byte[] bytes) {
        JsonNode body = checked(bytes, List.of(INSTANCE_ID, LEASE_DURATION));
        return new LockRequestBody(
                body.path(INSTANCE_ID).textValue(),
                Duration.ofSeconds(body.path(LEASE_DURATION).intValue()));
    }

    /** The body of release. */
    static LockRequestBody withoutLease(byte[] bytes) {
        JsonNode body = checked(bytes, List.of(INSTANCE_ID));
        return new LockRequestBody(body.path(INSTANCE_ID).textValue(), Duration.ZERO);
    }

    private static JsonNode checked(byte[] bytes, List<String> names) {
        JsonNode body = read(bytes);
        List<String> faults = new ArrayList<>();
        if (body.isObject()) {
            checkProperties(body, names, faults);
            checkNames(body, names, faults);
        } else {
            faults.add("$: " + type(body) + " found, object expected");
        }
        if (!faults.isEmpty()) {
            throw InvalidRequestException.body(faults);
        }
        return body;
    }

    private static JsonNode read(byte[] bytes) {
        try {
            return READER.readTree(bytes);
        } catch (JsonProcessingException e) {
            throw InvalidRequestException.body(List.of(withoutToken(e.getOriginalMessage())));
        } catch (IOException e) {
            throw InvalidRequestException.body(List.of("the body is not text in a known encoding; expected UTF-8"));
        }
    }

    /** The parser repeats a token that it does not know; callers may have put anything there. */
    private static String withoutToken(String message) {
        return message.startsWith(UNKNOWN_TOKEN) ? UNKNOWN_TOKEN : message;
    }

    private static void checkProperties(JsonNode body, List<String> names, List<String> faults) {
        if (body.has(INSTANCE_ID)) {
            checkInstanceId(body.get(INSTANCE_ID), faults);
        }
        if (names.contains(LEASE_DURATION) && body.has(LEASE_DURATION)) {
            checkLeaseDuration(body.get(LEASE_DURATION), faults);
        }
    }

    private static void checkInstanceId(JsonNode value, List<String> faults) {
        if (!value.isTextual()) {
            faults.add("$.instanceId: " + type(value) + " found, string expected");
            return;
        }
        String text = value.textValue();
        int length = text.codePointCount(0, text.length());
        if (length < LEAST_LENGTH) {
            faults.add("$.instanceId: must be at least " + LEAST_LENGTH + " characters long");
        }
        if (length > MOST_LENGTH) {
            faults.add("$.instanceId: must be at most " + MOST_LENGTH + " characters long");
        }
        if (!PLAIN.matcher(text).matches()) {
            faults.add("$.instanceId: does not match the regex pattern " + PATTERN);
        }
    }

    private static void checkLeaseDuration(JsonNode value, List<String> faults) {
        if (!isWhole(value)) {
            faults.add("$.leaseDuration: " + type(value) + " found, integer expected");
        } else if (value.doubleValue() < LEAST_SECONDS) {
            faults.add("$.leaseDuration: must have a minimum value of " + LEAST_SECONDS);
        } else if (value.doubleValue() > MOST_SECONDS) {
            faults.add("$.leaseDuration: must have a maximum value of " + MOST_SECONDS);
        }
    }

    /** 1.0 is a whole number, too. */
    private static boolean isWhole(JsonNode value) {
        return value.isNumber() && value.doubleValue() == Math.rint(value.doubleValue());
    }

    private static void checkNames(JsonNode body, List<String> names, List<String> faults) {
        for (String name : names) {
            if (!body.has(name)) {
                faults.add("$: required property '" + name + "' not found");
            }
        }
        for (Iterator<String> given = body.fieldNames(); given.hasNext(); ) {
            String name = given.next();
            if (!names.contains(name)) {
                faults.add("$: property '" + name + "' is not defined in the schema and the schema does not allow"
                        + " additional properties");
            }
        }
    }

    private static String type(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> "array";
            case OBJECT -> "object";
            case STRING -> "string";
            case BOOLEAN -> "boolean";
            case NULL -> "null";
            case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
            default -> "unknown";
        };
    }
}
