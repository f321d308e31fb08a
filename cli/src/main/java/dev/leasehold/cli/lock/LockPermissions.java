package dev.leasehold.cli.lock;

import dev.leasehold.server.auth.Permission;
import dev.leasehold.server.auth.Principal;

/** The permissions that a server asks for, in the words of its refusals. */
final class LockPermissions {
    private LockPermissions() {}

    static String inNamespaceOf(String key, Permission permission) {
        return permission.text() + " in the namespace '" + Principal.namespaceOf(key) + "'";
    }

    static String anywhere(Permission permission) {
        return permission.text() + " in a namespace";
    }

    /** A prefix without a colon may belong to any namespace. */
    static String underPrefix(String prefix, Permission permission) {
        return prefix.contains(":")
                ? inNamespaceOf(prefix, permission)
                : permission.text() + " in all namespaces ('*')";
    }
}
