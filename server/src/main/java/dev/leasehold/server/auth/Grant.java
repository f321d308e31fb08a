package dev.leasehold.server.auth;

import java.util.Set;

/**
 * Permissions in a namespace.
 *
 * @param namespace the namespace, or {@code *} for all
 */
public record Grant(String namespace, Set<Permission> permissions) {
    public static final String ALL = "*";

    public Grant {
        if (namespace.isBlank()) {
            throw new IllegalArgumentException("a grant has no namespace; use " + ALL + " for all");
        }
        permissions = Set.copyOf(permissions);
    }

    boolean allows(Permission permission, String wanted) {
        return permissions.contains(permission) && (namespace.equals(ALL) || namespace.equals(wanted));
    }
}
