package dev.leasehold.queue.internal;

import java.util.Arrays;

/**
 * The syntax of item ids: 20 bytes as 27 digits of base 62, which sort as the bytes do.
 *
 * <p>Ours are made of the queue's uid (8 bytes), the number of the partition (2), the item's number in it (8), and how often the item
 * was given back there (2): so an id is good for one lease only, and ids still sort in the order of the queue. That count begins
 * anew after 65,535. The first bit of the partition is always set: older ids, which had the partition in four bytes, have it clear.
 */
public final class Ksuid {
    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final byte[] DIGIT_OF = digits();
    private static final int LENGTH = 27;
    private static final String GREATEST = "aWgEPTl1tmebfsQzFP4bxwgy80V";
    private static final long MASK = 0xFFFFFFFFL;
    private static final int OURS = 0x8000;

    /** How many partitions an id can tell apart. */
    public static final int PARTITIONS = OURS;

    /** How many times an item can be given back until the count begins anew. */
    public static final int GIVEN_BACK_WRAP = 0x10000;

    /** Digits are worked on five at a time: as many as fit into an int. */
    private static final int AT_ONCE = 5;

    private static final int BASE = 62;
    private static final int BASE_AT_ONCE = BASE * BASE * BASE * BASE * BASE;

    private Ksuid() {}

    /** Empty if it is an id, otherwise why it is none. */
    public static String whatIsWrongWith(String text) {
        if (text.length() != LENGTH) {
            return "Valid encoded KSUIDs are 27 characters";
        }
        return areDigits(text) && text.compareTo(GREATEST) <= 0
                ? ""
                : "Valid encoded KSUIDs are bounded by 000000000000000000000000000 and " + GREATEST;
    }

    private static boolean areDigits(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= DIGIT_OF.length || DIGIT_OF[text.charAt(i)] < 0) {
                return false;
            }
        }
        return true;
    }

    private static byte[] digits() {
        byte[] digits = new byte[128];
        Arrays.fill(digits, (byte) -1);
        for (int i = 0; i < BASE; i++) {
            digits[DIGITS.charAt(i)] = (byte) i;
        }
        return digits;
    }

    /**
     * What an id says of its item.
     *
     * @param number its place in the partition
     * @param givenBack how often it was given back there
     */
    public record Place(long number, int givenBack) {
        /** The place of no item. */
        public static final Place NONE = new Place(-1, 0);
    }

    /** The id of an item that was never given back. */
    public static String encode(long uid, int partition, long number) {
        return encode(uid, partition, number, 0);
    }

    /** The id of an item. */
    public static String encode(long uid, int partition, long number, int givenBack) {
        if (partition < 0 || partition >= PARTITIONS || givenBack < 0 || givenBack >= GIVEN_BACK_WRAP) {
            throw new IllegalArgumentException("no item id for partition " + partition + ", given back " + givenBack);
        }
        return encode(new int[] {
            (int) (uid >>> 32),
            (int) uid,
            ((OURS | partition) << 16) | (int) (number >>> 48),
            (int) (number >>> 16),
            ((int) number << 16) | givenBack
        });
    }

    private static String encode(int[] words) {
        char[] text = new char[LENGTH];
        for (int end = LENGTH; end > 0; end -= AT_ONCE) {
            int rest = divide(words);
            for (int i = end - 1; i >= Math.max(0, end - AT_ONCE); i--) {
                text[i] = DIGITS.charAt(rest % BASE);
                rest /= BASE;
            }
        }
        return new String(text);
    }

    /** Takes the last five digits off. */
    private static int divide(int[] words) {
        long rest = 0;
        for (int i = 0; i < words.length; i++) {
            long value = (rest << 32) | (words[i] & MASK);
            words[i] = (int) (value / BASE_AT_ONCE);
            rest = value % BASE_AT_ONCE;
        }
        return (int) rest;
    }

    /** The 20 bytes of an id, as five words. */
    static int[] words(String id) {
        int[] words = new int[5];
        int from = 0;
        for (int to = LENGTH % AT_ONCE; to <= LENGTH; to += AT_ONCE) {
            int digits = 0;
            for (; from < to; from++) {
                digits = digits * BASE + DIGIT_OF[id.charAt(from)];
            }
            append(words, digits);
        }
        return words;
    }

    /** Puts five digits behind those that are there. */
    private static void append(int[] words, int digits) {
        long carry = digits;
        for (int i = words.length - 1; i >= 0; i--) {
            long value = (words[i] & MASK) * BASE_AT_ONCE + carry;
            words[i] = (int) value;
            carry = value >>> 32;
        }
    }

    /** The place that an id names in a partition; {@link Place#NONE} if it names none in it. */
    public static Place place(String id, long uid, int partition) {
        int[] words = words(id);
        boolean ours = words[0] == (int) (uid >>> 32) && words[1] == (int) uid && words[2] >>> 16 == (OURS | partition);
        long number = ((long) words[2] << 48) | ((words[3] & MASK) << 16) | (words[4] >>> 16);
        return ours && number >= 0 ? new Place(number, words[4] & 0xFFFF) : Place.NONE;
    }

    /** The number of the item that an id names in a partition, or -1 if it names none in it. */
    public static long number(String id, long uid, int partition) {
        return place(id, uid, partition).number();
    }

    /**
     * The least number in a partition whose id is not less than {@code id}, however often its item was given back; greater than any
     * if there can be none.
     */
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
        int[] words = new int[5];
        for (int i = 0; i < words.length; i++) {
            words[i] = Integer.parseUnsignedInt(hex.substring(8 * i, 8 * i + 8), 16);
        }
        return encode(words);
    }
}
