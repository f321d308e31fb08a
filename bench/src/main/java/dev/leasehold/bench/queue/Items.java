package dev.leasehold.bench.queue;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Payloads: printable, of one size, each with its number and the time at which it was made, and not to be compressed. */
final class Items {
    private static final int DIGITS = 16;
    private static final int HEAD = 2 * DIGITS;
    private static final int HEX_BITS = 4;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    private final byte[] pattern;

    Items(int bytes) {
        if (bytes < HEAD) {
            throw new IllegalArgumentException("a payload has at least " + HEAD + " bytes, got " + bytes);
        }
        pattern = new byte[bytes];
        Random random = new Random(bytes);
        for (int i = 0; i < bytes; i++) {
            pattern[i] = (byte) LETTERS.charAt(random.nextInt(LETTERS.length()));
        }
    }

    byte[] item(long number) {
        byte[] payload = pattern.clone();
        write(payload, 0, number);
        write(payload, DIGITS, System.nanoTime());
        return payload;
    }

    static long number(byte[] payload) {
        return read(payload, 0);
    }

    /** As {@link System#nanoTime}. */
    static long madeAt(byte[] payload) {
        return read(payload, DIGITS);
    }

    private static void write(byte[] payload, int from, long value) {
        for (int i = 0; i < DIGITS; i++) {
            payload[from + i] = HEX[(int) (value >>> (HEX_BITS * (DIGITS - 1 - i))) & 0xf];
        }
    }

    private static long read(byte[] payload, int from) {
        return Long.parseUnsignedLong(new String(payload, from, DIGITS, StandardCharsets.US_ASCII), DIGITS);
    }
}
