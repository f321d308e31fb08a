package dev.leasehold.spi;

/** What is asked of texts before they are stored. */
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
}
