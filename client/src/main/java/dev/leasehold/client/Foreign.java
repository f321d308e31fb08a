package dev.leasehold.client;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Answers that are none of a Leasehold server, such as the error page of a proxy, in a readable form. */
final class Foreign {
    private static final int LONGEST = 200;
    private static final int MOST = 8192;

    private Foreign() {}

    /** What came instead of an answer: status, type, and the first words of the text. */
    static String describe(Answer answer) {
        String type = answer.contentType().isEmpty() ? "no content type" : answer.contentType();
        String text = text(answer);
        return "The answer does not come from a Leasehold server: status " + answer.status() + ", " + type
                + (text.isEmpty() ? "" : ", \"" + text + "\"");
    }

    private static String text(Answer answer) {
        if (!isText(answer.contentType())) {
            return "";
        }
        int length = Math.min(answer.body().length, MOST);
        String raw = new String(answer.body(), 0, length, StandardCharsets.UTF_8);
        String plain = raw.replaceAll("(?is)<(script|style|head)\\b.*?</\\1>", " ")
                .replaceAll("(?s)<[^>]*>", " ")
                .replaceAll("[\\p{Cntrl}\\s]+", " ")
                .trim();
        return plain.length() <= LONGEST ? plain : plain.substring(0, LONGEST) + "…";
    }

    private static boolean isText(String contentType) {
        return contentType.startsWith("text/")
                || contentType.toLowerCase(Locale.ROOT).contains("json");
    }
}
