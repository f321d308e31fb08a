package dev.leasehold.postgres.queue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** What stands for a queue's name in the names of its tables: ten digits of base 62 from the MD5 of the name. */
final class QueueHash {
    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int LENGTH = 10;

    private QueueHash() {}

    @SuppressWarnings("DoNotUseMD5") // names tables as Querator does; nothing relies on it being hard to find another
    static String of(String name) {
        try {
            byte[] md5 = MessageDigest.getInstance("MD5").digest(name.getBytes(StandardCharsets.UTF_8));
            return base62(ByteBuffer.wrap(md5).getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }

    private static String base62(long unsigned) {
        StringBuilder digits = new StringBuilder();
        for (long rest = unsigned; rest != 0; rest = Long.divideUnsigned(rest, 62)) {
            digits.append(DIGITS.charAt((int) Long.remainderUnsigned(rest, 62)));
        }
        while (digits.length() < LENGTH) {
            digits.append('0');
        }
        return digits.reverse().substring(0, LENGTH);
    }
}
