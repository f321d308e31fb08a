package dev.leasehold.server.observe;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.leasehold.server.http.RequestListener;
import dev.leasehold.server.http.Route;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The request log: one flat JSON object on one line per request.
 *
 * <p>Requests of the LockServiceCentral API have its fields in its order; those of the other APIs have operation, outcome and
 * duration, but no key, lock id or payload. Pages that anybody may read leave no line. Texts
 * of callers are cut and escaped: nobody can write a line of their own.
 */
public final class RequestLog implements RequestListener {
    /** The operation of routes for what nobody knows. */
    public static final String UNKNOWN = "unknown";

    private static final Pattern KEY = Pattern.compile("[a-z][a-z0-9]*(?:_[a-z0-9]+)*");
    private static final Pattern REQUEST_ID = Pattern.compile("[A-Za-z0-9._:/+=-]{1,64}");
    private static final int AGENT_LENGTH = 200;
    private static final int TARGET_LENGTH = 1000;

    private final Map<String, String> labels = new LinkedHashMap<>();
    private final Consumer<String> lines;

    /**
     * A request log.
     *
     * @param labels what every line says of this process: env and region, if they are there
     * @param version the version of this server
     * @param lines takes each line, quickly
     */
    public RequestLog(Map<String, String> labels, String version, Consumer<String> lines) {
        this.lines = lines;
        for (String name : List.of("env", "region")) {
            String value = labels.get(name);
            if (value != null) {
                this.labels.put(name, value);
            }
        }
        this.labels.put("version", version);
    }

    @Override
    public void answered(Answered answered) {
        if (isLogged(answered.route())) {
            lines.accept(line(answered).toString());
        }
    }

    private static boolean isLogged(Route route) {
        return !route.isOpen() || route.operation().equals(UNKNOWN);
    }

    private ObjectNode line(Answered answered) {
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        line.put("ts_start", Instant.ofEpochMilli(answered.startMillis()).toString());
        line.put("service", "leasehold");
        labels.forEach(line::put);
        line.put("kind", "http");
        putRequest(line, answered);
        putRoute(line, answered.route());
        putNotes(line, answered.notes());
        long millis = answered.nanos() / 1_000_000;
        line.put("ts", Instant.ofEpochMilli(answered.startMillis() + millis).toString());
        line.put("duration_ms", millis);
        line.put("http_status_code", answered.status());
        line.put("outcome", outcome(answered.status()));
        return line;
    }

    private static void putRequest(ObjectNode line, Answered answered) {
        line.put("request_id", requestId(answered.headers().apply("X-Request-Id")));
        line.put("http_method", cut(answered.method(), AGENT_LENGTH));
        line.put("http_target", cut(answered.path(), TARGET_LENGTH));
        String agent = answered.headers().apply("User-Agent");
        if (agent != null) {
            line.put("http_user_agent", cut(agent, AGENT_LENGTH));
        }
        line.put(
                "client_ip",
                ClientAddress.of(answered.remote(), answered.headers().apply("X-Forwarded-For")));
    }

    private static void putRoute(ObjectNode line, Route route) {
        if (route.operation().equals(UNKNOWN)) {
            return;
        }
        line.put("http_route", route.path());
        if (!route.operation().startsWith("namespaced.")) {
            line.put("operation", route.operation());
        }
    }

    /** The handler may still be at work if its caller has hung up. */
    private static void putNotes(ObjectNode line, Map<String, Object> notes) {
        synchronized (notes) {
            notes.forEach((key, value) -> {
                if (KEY.matcher(key).matches()) {
                    put(line, key, value);
                }
            });
        }
    }

    private static void put(ObjectNode line, String key, Object value) {
        if (value instanceof Number number) {
            line.put(key, number.longValue());
        } else if (value instanceof Boolean is) {
            line.put(key, is);
        } else {
            line.put(key, cut(value.toString(), TARGET_LENGTH));
        }
    }

    private static String requestId(@Nullable String given) {
        return given != null && REQUEST_ID.matcher(given).matches() ? given : "req_" + UUID.randomUUID();
    }

    private static String cut(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length) + "...";
    }

    private static String outcome(int status) {
        return switch (status) {
            case 423 -> "rejected";
            case 408, 504 -> "timeout";
            default -> status >= 200 && status < 300 ? "success" : "failure";
        };
    }
}
