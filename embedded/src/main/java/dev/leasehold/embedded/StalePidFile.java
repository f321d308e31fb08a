package dev.leasehold.embedded;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The file {@code postmaster.pid} of a server that died, after its number has gone to some other process: PostgreSQL takes that
 * process for the server and refuses to start. In a container, where numbers are small, that is the usual case.
 */
final class StalePidFile {
    private StalePidFile() {}

    /** Removes it if no process works in the cluster. If one does, a server that lost its master still ends, and PostgreSQL sees to it. */
    static void remove(Path cluster) {
        Path file = cluster.resolve("postmaster.pid");
        try {
            if (Files.exists(file) && Postmaster.running(cluster).isEmpty() && !isAnybodyIn(cluster)) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw Trouble.with("remove '" + file + "', which a dead server has left", e);
        }
    }

    private static boolean isAnybodyIn(Path cluster) throws IOException {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                if (worksIn(process, cluster)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean worksIn(Path process, Path cluster) {
        try {
            return Files.readSymbolicLink(process.resolve("cwd")).equals(cluster);
        } catch (IOException e) {
            return false;
        }
    }
}
