package dev.leasehold.cli.config;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** URLs as psql and most other clients understand them, turned into what pgjdbc understands. */
final class LibpqUrls {
    private static final Pattern URL = Pattern.compile("postgres(?:ql)?://([^/?#]*)(?:/([^?#]*))?(?:\\?(.*))?");
    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-fA-F:.%]+]|[^:\\[\\]]*)(?::(.*))?");
    private static final int MOST_PORT = 65_535;

    /** Parameters that have another name in pgjdbc. */
    private static final Map<String, String> NAMES = Map.of(
            "connect_timeout", "connectTimeout",
            "application_name", "ApplicationName",
            "search_path", "currentSchema",
            "target_session_attrs", "targetServerType",
            "gssencmode", "gssEncMode",
            "channel_binding", "channelBinding");

    private static final Map<String, String> SERVER_TYPES = Map.of(
            "read-write", "primary",
            "read-only", "secondary",
            "standby", "secondary",
            "prefer-standby", "preferSecondary");

    private LibpqUrls() {}

    static PostgresUrl parse(String text) {
        Matcher url = URL.matcher(text);
        if (!url.matches()) {
            throw new IllegalArgumentException("it begins otherwise, or has a '#' that must be written as %23");
        }
        String authority = url.group(1);
        int at = authority.lastIndexOf('@');
        String who = at < 0 ? "" : authority.substring(0, at);
        int colon = who.indexOf(':');
        Map<String, String> parameters = parameters(url.group(3));
        String user = given(decoded(colon < 0 ? who : who.substring(0, colon)), parameters.remove("user"));
        String password = given(colon < 0 ? "" : decoded(who.substring(colon + 1)), parameters.remove("password"));
        String database = given(url.group(2) == null ? "" : decoded(url.group(2)), parameters.remove("dbname"));
        String place =
                hosts(authority.substring(at + 1)) + "/" + (database == null ? user == null ? "" : user : database);
        return new PostgresUrl(place, user, password, parameters);
    }

    private static @Nullable String given(String first, @Nullable String second) {
        return first.isEmpty() ? second : first;
    }

    private static String hosts(String text) {
        List<String> hosts = new ArrayList<>();
        for (String one : text.split(",", -1)) {
            Matcher host = HOST.matcher(one);
            if (!host.matches()) {
                throw new IllegalArgumentException(
                        "the host is not one; a ':', '/' or '@' in the user or password must be percent-encoded");
            }
            String name = decoded(host.group(1));
            if (name.startsWith("/")) {
                throw new IllegalArgumentException("sockets are not supported; name a host");
            }
            hosts.add((name.isEmpty() ? "localhost" : name) + ":" + port(host.group(2)));
        }
        return String.join(",", hosts);
    }

    private static int port(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return 5432;
        }
        if (text.matches("\\d{1,5}") && Integer.parseInt(text) <= MOST_PORT) {
            return Integer.parseInt(text);
        }
        throw new IllegalArgumentException("the port is not a number from 0 to 65535; a ':', '/' or '@' in the user or"
                + " password must be percent-encoded");
    }

    private static Map<String, String> parameters(@Nullable String query) {
        Map<String, String> parameters = new TreeMap<>();
        if (query == null || query.isEmpty()) {
            return parameters;
        }
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("its parameters must look like name=value&name=value");
            }
            add(parameters, decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
        }
        return parameters;
    }

    private static void add(Map<String, String> parameters, String name, String text) {
        if (List.of("user", "password", "dbname").contains(name)) {
            parameters.put(name, text);
            return;
        }
        String ours = NAMES.getOrDefault(name, name);
        parameters.put(
                JdbcUrls.known(ours), ours.equals("targetServerType") ? SERVER_TYPES.getOrDefault(text, text) : text);
    }

    /** Percent-decoding; a plus sign is a plus sign. */
    private static String decoded(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] in = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < in.length; i++) {
            if (in[i] != '%') {
                bytes.write(in[i]);
                continue;
            }
            int high = i + 2 <= in.length - 1 ? Character.digit(in[i + 1], 16) : -1;
            int low = high < 0 ? -1 : Character.digit(in[i + 2], 16);
            if (low < 0) {
                throw new IllegalArgumentException(
                        "a '%' must be followed by two hex digits; write a percent sign as %25");
            }
            bytes.write(high * 16 + low);
            i += 2;
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
