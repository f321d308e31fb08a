package dev.leasehold.client;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Describes responses that do not come from a Leasehold server, such as the error page of a proxy. */
final class UnrecognizedResponse {
    private static final int LONGEST = 200;
    private static final int MOST = 8192;

    private UnrecognizedResponse() {}

    /** Status, content type and the beginning of the text. */
    static String describe(HttpReply reply) {
        String type = reply.contentType().isEmpty() ? "no content type" : reply.contentType();
        String text = text(reply);
        return "The answer does not come from a Leasehold server: status " + reply.status() + ", " + type
                + (text.isEmpty() ? "" : ", \"" + text + "\"");
    }

    private static String text(HttpReply reply) {
        if (!isText(reply.contentType())) {
            return "";
        }
        int length = Math.min(reply.body().length, MOST);
        String raw = new String(reply.body(), 0, length, StandardCharsets.UTF_8);
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
