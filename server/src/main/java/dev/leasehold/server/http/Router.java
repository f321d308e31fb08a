package dev.leasehold.server.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the route of a request. Paths are compared as they were sent: nothing is decoded, and nothing is added or taken away.
 *
 * <ol>
 *   <li>A path without placeholders wins over one with, and so does the directory that it lies in: with {@code /v1/storage/a},
 *       nothing under {@code /v1/storage/} is taken for {@code /v1/{namespace}/b}.
 *   <li>A known path with another method is refused by the {@link ErrorMapper} of its route. A post to a page is one to a path that nobody
 *       knows: there Querator's clients expect an answer that they can read.
 *   <li>An unknown path goes to the route for unknown paths.
 * </ol>
 */
final class Router {
    private final Map<String, Map<String, Route>> fixed = new HashMap<>();
    private final Set<String> directories = new HashSet<>();
    private final List<Template> templates = new ArrayList<>();
    private final Route unknown;
    private final Route unknownPost;

    /**
     * A router.
     *
     * @param unknownPost answers posts to paths that nobody knows
     * @param unknown answers everything else
     */
    Router(List<Route> routes, Route unknownPost, Route unknown) {
        this.unknownPost = unknownPost;
        this.unknown = unknown;
        for (Route route : routes) {
            methods(route.path()).put(route.method(), route);
        }
    }

    private Map<String, Route> methods(String path) {
        if (!path.contains("{")) {
            directories.add(path.substring(0, path.lastIndexOf('/') + 1));
            return fixed.computeIfAbsent(path, p -> new HashMap<>());
        }
        return templates.stream()
                .filter(template -> template.path.equals(path))
                .findFirst()
                .orElseGet(() -> add(new Template(path, path.split("/", -1), new HashMap<>())))
                .methods;
    }

    private Template add(Template template) {
        templates.add(template);
        return template;
    }

    Match match(String method, String path) {
        Map<String, Route> methods = fixed.get(path);
        if (methods != null) {
            return match(methods, method, List.of());
        }
        String[] segments = path.split("/", -1);
        for (Template template : templates) {
            if (template.fits(segments) && !isTaken(path, template.path.indexOf('{'))) {
                return match(template.methods, method, template.parts(segments));
            }
        }
        return new Match(method.equals("POST") ? unknownPost : unknown, List.of(), true);
    }

    /** @param prefix how much of the path the template leaves open to nobody */
    private boolean isTaken(String path, int prefix) {
        return directories.stream().anyMatch(taken -> taken.length() > prefix && path.startsWith(taken));
    }

    private Match match(Map<String, Route> methods, String method, List<String> parts) {
        Route route = methods.get(method.equals("HEAD") && !methods.containsKey("HEAD") ? "GET" : method);
        if (route != null) {
            return new Match(route, parts, true);
        }
        Route other = methods.values().iterator().next();
        return method.equals("POST") && other.isOpen()
                ? new Match(unknownPost, List.of(), true)
                : new Match(other, parts, false);
    }

    /** The route of a request, or if its method is wrong one of the same path. */
    record Match(Route route, List<String> parts, boolean isMethodKnown) {}

    @SuppressWarnings("ArrayRecordComponent") // never leaves this class
    private record Template(String path, String[] segments, Map<String, Route> methods) {
        boolean fits(String[] others) {
            if (others.length != segments.length) {
                return false;
            }
            for (int i = 0; i < segments.length; i++) {
                if (isPlaceholder(i) ? others[i].isEmpty() : !segments[i].equals(others[i])) {
                    return false;
                }
            }
            return true;
        }

        private boolean isPlaceholder(int i) {
            return segments[i].startsWith("{");
        }

        List<String> parts(String[] others) {
            List<String> parts = new ArrayList<>();
            for (int i = 0; i < segments.length; i++) {
                if (isPlaceholder(i)) {
                    parts.add(others[i]);
                }
            }
            return List.copyOf(parts);
        }
    }
}
