package dev.leasehold.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * As whom the programs of PostgreSQL run: they refuse to run as root.
 *
 * <ol>
 *   <li>Anybody else runs them as they are.
 *   <li>Root runs them in a user namespace of their own, in which root is nobody in particular; files stay root's.
 *   <li>Where such namespaces are forbidden, as in many containers, root runs them as the user {@code nobody}, who may pass
 *       through root's directories.
 *   <li>A cluster that is there already says by its owner which way it was.
 * </ol>
 *
 * @param prefix what to write before a command
 */
record Identity(List<String> prefix) {
    private static final int ROOT = 0;
    private static final int NOBODY = 65534;

    static Identity of(Path cluster) {
        try {
            if (uid(Path.of("/proc/self")) != ROOT) {
                return new Identity(List.of());
            }
            if (Files.isDirectory(cluster)) {
                int owner = uid(cluster);
                return owner == ROOT ? namespace() : user(owner);
            }
            return hasNamespaces() ? namespace() : user(NOBODY);
        } catch (IOException e) {
            throw Trouble.with("find out who owns '" + cluster + "'", e);
        }
    }

    private static Identity namespace() {
        return new Identity(List.of("unshare", "-U"));
    }

    private static Identity user(int uid) {
        return new Identity(List.of(
                "setpriv",
                "--reuid=" + uid,
                "--regid=" + uid,
                "--clear-groups",
                "--securebits=+no_setuid_fixup", // so that access(2), by which PostgreSQL looks at its programs, agrees
                "--inh-caps=+dac_override",
                "--ambient-caps=+dac_override"));
    }

    private static int uid(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:uid");
    }

    private static boolean hasNamespaces() {
        return Command.of(namespace(), "true").tryRun().isSuccess();
    }
}
