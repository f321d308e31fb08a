package dev.leasehold.server.auth;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;

/**
 * The authenticated client.
 *
 * @param subject the name; with authentication on it is also the owner of what they lock
 * @param isAuthenticated whether it has sent a credential
 */
public record Principal(String subject, boolean isAuthenticated, List<Grant> grants) {
    /** The namespace of keys and queues without one. */
    public static final String SYSTEM = "_system";

    /** Every client of a server without authentication. */
    public static final Principal ANONYMOUS =
            new Principal("anonymous", false, List.of(new Grant(Grant.ALL, EnumSet.allOf(Permission.class))));

    public Principal {
        grants = List.copyOf(grants);
    }

    public boolean may(Permission permission, String namespace) {
        return grants.stream().anyMatch(grant -> grant.allows(permission, namespace));
    }

    /** Throws {@link ForbiddenException} without the permission. */
    public void require(Permission permission, String namespace) {
        if (!may(permission, namespace)) {
            throw new ForbiddenException();
        }
    }

    /** Throws {@link ForbiddenException} without the permission in any namespace. */
    public void requireAnywhere(Permission permission) {
        if (grants.stream().noneMatch(grant -> grant.permissions().contains(permission))) {
            throw new ForbiddenException();
        }
    }

    /** Whether one of these permissions is granted. */
    public boolean mayAny(String namespace, Permission... permissions) {
        return Arrays.stream(permissions).anyMatch(permission -> may(permission, namespace));
    }

    /** Throws {@link ForbiddenException} without one of these permissions. */
    public void requireAny(String namespace, Permission... permissions) {
        if (!mayAny(namespace, permissions)) {
            throw new ForbiddenException();
        }
    }

    /** The namespace of a lock key: the text before its first colon. */
    public static String namespaceOf(String key) {
        int colon = key.indexOf(':');
        return colon < 0 ? SYSTEM : key.substring(0, colon);
    }
}
