package dev.leasehold.embedded;

import java.io.IOException;
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
            if (Files.exists(file)
                    && Postmaster.running(cluster).isEmpty()
                    && ProcessesIn.directory(cluster).isEmpty()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw Trouble.with("remove '" + file + "', which a dead server has left", e);
        }
    }
}
