package dev.leasehold.spi;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;

/** Checks and forms of texts that are stored. */
public final class Texts {
    private Texts() {}

    /**
     * Whether a text has half of a surrogate pair. There is no UTF-8 for it: Java writes a question mark, so that two texts would
     * become the same.
     */
    public static boolean hasLoneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return true;
            }
        }
        return false;
    }

    /** The text in NFC, with U+FFFD in the place of each lone surrogate: as it is stored as a key, or as a part of one. */
    public static String normal(String text) {
        return wellFormed(Normalizer.normalize(text, Normalizer.Form.NFC));
    }

    /** The text with U+FFFD in the place of each lone surrogate. */
    public static String wellFormed(String text) {
        return hasLoneSurrogate(text) ? replaceLoneSurrogates(text) : text;
    }

    private static String replaceLoneSurrogates(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> c <= Character.MAX_VALUE && Character.isSurrogate((char) c) ? 0xFFFD : c)
                .forEach(out::appendCodePoint);
        return out.toString();
    }

    /** UTF-8 as Node writes it: a lone surrogate is U+FFFD, where {@code String.getBytes} would write a question mark. */
    public static byte[] utf8(String text) {
        return wellFormed(text).getBytes(StandardCharsets.UTF_8);
    }
}
