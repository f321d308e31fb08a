package dev.leasehold.queue;

import java.nio.charset.StandardCharsets;

/**
 * Turns payloads into bytes and back. Must be safe for use by many threads.
 *
 * @param <T> the type of the payloads
 */
public interface Codec<T> {
    /** The payload as bytes. */
    byte[] encode(T payload);

    /**
     * The payload of these bytes.
     *
     * @throws RuntimeException if they are none; the item is then retried as if its handler had thrown it
     */
    T decode(byte[] bytes);

    /** Written to {@link NewItem#encoding} of each produced item; free text, such as a media type. */
    default String encoding() {
        return "";
    }

    /** Text as UTF-8. */
    static Codec<String> text() {
        return Text.UTF_8;
    }

    /** The bytes themselves, which are not copied: leave them alone. */
    static Codec<byte[]> bytes() {
        return Bytes.AS_THEY_ARE;
    }

    /** {@link #text}. */
    enum Text implements Codec<String> {
        UTF_8;

        @Override
        public byte[] encode(String payload) {
            QueueRules.payload(payload);
            return payload.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** {@link #bytes}. */
    enum Bytes implements Codec<byte[]> {
        AS_THEY_ARE;

        @Override
        public byte[] encode(byte[] payload) {
            return payload;
        }

        @Override
        public byte[] decode(byte[] bytes) {
            return bytes;
        }
    }
}
