package dev.leasehold.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Refuses a data directory in which somebody else could have put a program for us to run, or a cluster to run it on. */
final class Ownership {
    private static final Set<PosixFilePermission> WRITABLE =
            EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
    private static final Set<PosixFilePermission> REACHABLE =
            EnumSet.of(PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.OTHERS_EXECUTE);

    private Ownership() {}

    /**
     * Checks a data directory.
     *
     * @param inside what lies in it and is used, as far as it is there. What others cannot reach they cannot write
     */
    static void check(Path directory, List<Path> inside) throws IOException {
        requireOurs(directory, directory);
        requireNotWritable(directory);
        boolean isReachable = hasAny(directory, REACHABLE);
        for (Path path : inside) {
            if (Files.exists(path)) {
                requireOurs(path, directory);
                if (isReachable) {
                    requireNotWritable(path);
                }
            }
        }
    }

    private static void requireOurs(Path path, Path directory) throws IOException {
        Object owner = Files.getAttribute(path, "unix:uid");
        Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        if (!owner.equals(self)) {
            throw new EmbeddedException("the data directory '" + directory + "' is not used: '" + path
                    + "' belongs to the user " + owner + ", and this process runs as " + self
                    + "; choose a directory of your own with --data-dir, such as one in '" + directory
                    + "', or change its owner");
        }
    }

    private static void requireNotWritable(Path path) throws IOException {
        if (hasAny(path, WRITABLE)) {
            throw new EmbeddedException("'" + path
                    + "' is not used: users other than its owner may write to it, and could"
                    + " have put programs there; make sure that nobody did, and run: chmod -R go-w '" + path + "'");
        }
    }

    private static boolean hasAny(Path path, Set<PosixFilePermission> permissions) throws IOException {
        return Files.getPosixFilePermissions(path).stream().anyMatch(permissions::contains);
    }
}
