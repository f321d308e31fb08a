package dev.leasehold.server.namespaced;

import dev.leasehold.lock.LockKey;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The lock that a path names. Nothing is checked until {@link #check}: faults of the body come first. */
record LockPath(String namespace, String lockName) {
    private static final Pattern PLAIN = Pattern.compile("[a-zA-Z0-9_-]+");
    private static final int LEAST = 3;
    private static final int MOST = 64;

    static LockPath of(List<String> parts) {
        return new LockPath(decoded(parts.get(0)), decoded(parts.get(1)));
    }

    /** Escapes are read, as everywhere in paths; what they may stand for is checked like the rest. */
    private static String decoded(String part) {
        if (part.indexOf('%') < 0) {
            return part;
        }
        try {
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return part;
        }
    }

    void check() {
        List<String> details = new ArrayList<>();
        check("namespace", "Namespace", namespace, details);
        check("lockName", "Lock name", lockName, details);
        if (!details.isEmpty()) {
            throw InvalidRequestException.path(details);
        }
    }

    private static void check(String parameter, String title, String value, List<String> details) {
        String prefix = "Parameter '" + parameter + "' failed validation: " + title;
        if (value.length() < LEAST || value.length() > MOST) {
            details.add(prefix + " must be between 3 and 64 characters long");
        }
        if (!PLAIN.matcher(value).matches()) {
            details.add(prefix + " must be alphanumeric with dashes and underscores only");
        }
    }

    LockKey key() {
        return LockKey.of(namespace + ":" + lockName);
    }
}
