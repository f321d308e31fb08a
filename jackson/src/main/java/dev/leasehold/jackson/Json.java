package dev.leasehold.jackson;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.leasehold.queue.Codec;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Payloads as JSON, by Jackson: {@code queues.declare(config, Json.of(Order.class))}.
 *
 * <p>Unknown properties are ignored, so that producers and consumers need not be deployed together; give a mapper of your own to be
 * stricter. Error messages do not repeat the payload.
 *
 * @param <T> the type of the payloads
 */
public final class Json<T> implements Codec<T> {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .findAndAddModules()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private final ObjectMapper mapper;
    private final JavaType type;

    private Json(ObjectMapper mapper, JavaType type) {
        this.mapper = mapper;
        this.type = type;
    }

    /** Objects of this class. */
    public static <T> Json<T> of(Class<T> type) {
        return of(type, MAPPER);
    }

    /** Objects of this class, by a mapper of your own. */
    public static <T> Json<T> of(Class<T> type, ObjectMapper mapper) {
        return new Json<>(mapper, mapper.constructType(type));
    }

    /** Objects of a generic type: {@code Json.of(new TypeReference<List<Order>>() {})}. */
    public static <T> Json<T> of(TypeReference<T> type) {
        return of(type, MAPPER);
    }

    /** Objects of a generic type, by a mapper of your own. */
    public static <T> Json<T> of(TypeReference<T> type, ObjectMapper mapper) {
        return new Json<>(mapper, mapper.constructType(type));
    }

    @Override
    public byte[] encode(T payload) {
        try {
            return mapper.writerFor(type).writeValueAsBytes(payload);
        } catch (JsonProcessingException e) {
            e.clearLocation();
            throw new UncheckedIOException("the payload cannot be written as JSON: " + e.getOriginalMessage(), e);
        }
    }

    @Override
    public T decode(byte[] bytes) {
        try {
            return mapper.readValue(bytes, type);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the payload is not the JSON of a " + type.getRawClass().getSimpleName(), e);
        }
    }

    @Override
    public String encoding() {
        return "application/json";
    }
}
