package dev.leasehold.queue.internal;

/**
 * The syntax of item ids: 20 bytes as 27 digits of base 62, which sort as the bytes do.
 *
 * <p>Ours are made of the queue's uid (8 bytes), the number of the partition (4) and the item's number in it (8).
 */
public final class Ksuid {
    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int LENGTH = 27;
    private static final String GREATEST = "aWgEPTl1tmebfsQzFP4bxwgy80V";
    private static final long MASK = 0xFFFFFFFFL;

    private Ksuid() {}

    /** Empty if it is an id, otherwise why it is none. */
    public static String whatIsWrongWith(String text) {
        if (text.length() != LENGTH) {
            return "Valid encoded KSUIDs are 27 characters";
        }
        boolean digits = text.chars().allMatch(c -> c < 128 && DIGITS.indexOf(c) >= 0);
        return digits && text.compareTo(GREATEST) <= 0
                ? ""
                : "Valid encoded KSUIDs are bounded by 000000000000000000000000000 and " + GREATEST;
    }

    /** The id of an item. */
    public static String encode(long uid, int partition, long number) {
        int[] words = {(int) (uid >>> 32), (int) uid, partition, (int) (number >>> 32), (int) number};
        char[] text = new char[LENGTH];
        for (int i = LENGTH - 1; i >= 0; i--) {
            text[i] = DIGITS.charAt(divideBy62(words));
        }
        return new String(text);
    }

    private static int divideBy62(int[] words) {
        long rest = 0;
        for (int i = 0; i < words.length; i++) {
            long value = (rest << 32) | (words[i] & MASK);
            words[i] = (int) (value / 62);
            rest = value % 62;
        }
        return (int) rest;
    }

    /** The 20 bytes of an id, as five words. */
    static int[] words(String id) {
        int[] words = new int[5];
        for (int i = 0; i < LENGTH; i++) {
            long carry = DIGITS.indexOf(id.charAt(i));
            for (int j = words.length - 1; j >= 0; j--) {
                long value = (words[j] & MASK) * 62 + carry;
                words[j] = (int) value;
                carry = value >>> 32;
            }
        }
        return words;
    }

    /** The number of the item that an id names in a partition, or -1 if it names none in it. */
    public static long number(String id, long uid, int partition) {
        int[] words = words(id);
        boolean ours = words[0] == (int) (uid >>> 32) && words[1] == (int) uid && words[2] == partition;
        long number = ((long) words[3] << 32) | (words[4] & MASK);
        return ours && number >= 0 ? number : -1;
    }

    /** The least number in a partition whose id is not less than {@code id}; greater than any if there can be none. */
    public static long firstNumberFrom(String id, long uid, int partition) {
        int order = id.compareTo(encode(uid, partition, 0));
        if (order <= 0) {
            return 0;
        }
        long number = number(id, uid, partition);
        return number >= 0 ? number : Long.MAX_VALUE;
    }

    /** The bytes of an id, in hexadecimal digits. */
    public static String toHex(String id) {
        StringBuilder hex = new StringBuilder();
        for (int word : words(id)) {
            hex.append(String.format("%08x", word));
        }
        return hex.toString();
    }

    /** The id of those bytes. */
    public static String fromHex(String hex) {
        return encode(
                Long.parseUnsignedLong(hex.substring(0, 16), 16),
                Integer.parseUnsignedInt(hex.substring(16, 24), 16),
                Long.parseUnsignedLong(hex.substring(24, 40), 16));
    }
}
