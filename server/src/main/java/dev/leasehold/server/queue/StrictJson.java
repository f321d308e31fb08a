package dev.leasehold.server.queue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Timestamp;
import dev.leasehold.spi.Texts;
import java.io.IOException;

/**
 * Looks over JSON that is to become a message: it must be JSON, each field known and given once, each value of its type.
 *
 * <p>Protobuf's own reader takes less care: it takes single quotes, a number for a text, and whatever comes after the end.
 */
final class StrictJson {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private StrictJson() {}

    /** Returns how many elements the longest array in the message itself has. */
    static int check(byte[] body, Descriptor message) throws IOException {
        try (JsonParser json = FACTORY.createParser(body)) {
            expect(json.nextToken() == JsonToken.START_OBJECT, "expected an object");
            int longest = object(json, message);
            expect(json.nextToken() == null, "there is more after the end of the object");
            return longest;
        }
    }

    private static int object(JsonParser json, Descriptor message) throws IOException {
        int longest = 0;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            FieldDescriptor field = field(message, json.currentName());
            JsonToken token = json.nextToken();
            if (token != JsonToken.VALUE_NULL && field.isRepeated()) {
                expect(token == JsonToken.START_ARRAY, field.getJsonName() + " must be an array");
                longest = Math.max(longest, array(json, field));
            } else if (token != JsonToken.VALUE_NULL) {
                value(json, token, field);
            }
        }
        return longest;
    }

    private static FieldDescriptor field(Descriptor message, String name) throws IOException {
        for (FieldDescriptor field : message.getFields()) {
            if (field.getJsonName().equals(name) || field.getName().equals(name)) {
                return field;
            }
        }
        throw new InvalidProtocolBufferException("unknown field \"" + name + "\"");
    }

    private static int array(JsonParser json, FieldDescriptor field) throws IOException {
        int count = 0;
        for (JsonToken token = json.nextToken(); token != JsonToken.END_ARRAY; token = json.nextToken()) {
            value(json, token, field);
            count++;
        }
        return count;
    }

    private static void value(JsonParser json, JsonToken token, FieldDescriptor field) throws IOException {
        switch (field.getJavaType()) {
            case MESSAGE -> {
                if (field.getMessageType().equals(Timestamp.getDescriptor())) {
                    expect(token == JsonToken.VALUE_STRING, field.getJsonName() + " must be a time as text");
                } else {
                    expect(token == JsonToken.START_OBJECT, field.getJsonName() + " must be an object");
                    object(json, field.getMessageType());
                }
            }
            case BOOLEAN -> expect(token.isBoolean(), field.getJsonName() + " must be true or false");
            case INT ->
                expect(token.isNumeric() || token == JsonToken.VALUE_STRING, field.getJsonName() + " must be a number");
            default -> text(json, token, field);
        }
    }

    /** Half of a surrogate pair, which comes as an escape, is no character. */
    private static void text(JsonParser json, JsonToken token, FieldDescriptor field) throws IOException {
        expect(token == JsonToken.VALUE_STRING, field.getJsonName() + " must be text");
        if (field.getJavaType() == FieldDescriptor.JavaType.STRING) {
            expect(!Texts.hasLoneSurrogate(json.getText()), field.getJsonName() + " has a lone surrogate");
        }
    }

    private static void expect(boolean isAsExpected, String otherwise) throws IOException {
        if (!isAsExpected) {
            throw new InvalidProtocolBufferException(otherwise);
        }
    }
}
