package dev.leasehold.server.namespaced;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

/** Reads responses of the LockServiceCentral API. */
public final class Answers {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String ERROR_ID =
            "\"errorId\":\"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\"";

    private Answers() {}

    public static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + text, e);
        }
    }

    static long expiry(HttpResponse<String> answer) {
        return json(answer.body()).path("expiry").longValue();
    }

    /** Puts ID in the place of a random UUID. */
    static String withoutErrorId(String body) {
        return body.replaceAll(ERROR_ID, "\"errorId\":\"ID\"");
    }

    static List<String> details(HttpResponse<String> answer) {
        List<String> details = new ArrayList<>();
        json(answer.body()).path("details").forEach(detail -> details.add(detail.textValue()));
        return details;
    }
}
