package dev.leasehold.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The server process, as its file {@code postmaster.pid} describes it.
 *
 * @param pid its process
 * @param port where it listens; 0 while it does not say yet
 */
record Postmaster(long pid, int port) {
    private static final int PORT_LINE = 3;

    /** The one that runs on that cluster, if one does. A file that a dead one has left means nothing. */
    static Optional<Postmaster> running(Path cluster) {
        try {
            return read(Files.readAllLines(cluster.resolve("postmaster.pid"))).filter(found -> found.isAlive(cluster));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw Trouble.with("read '" + cluster.resolve("postmaster.pid") + "'", e);
        }
    }

    private static Optional<Postmaster> read(List<String> lines) {
        try {
            long pid = Long.parseLong(lines.get(0).strip());
            String port = lines.size() > PORT_LINE ? lines.get(PORT_LINE).strip() : "0";
            return Optional.of(new Postmaster(pid, Integer.parseInt(port)));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    /** The process must be a server on this very cluster: the number alone may be somebody else's by now. */
    private boolean isAlive(Path cluster) {
        Path process = Path.of("/proc", Long.toString(pid));
        try {
            List<String> words =
                    List.of(Files.readString(process.resolve("cmdline")).split("\0"));
            return words.contains(cluster.toString()) && words.get(0).endsWith("postgres");
        } catch (IOException e) {
            return Files.exists(process);
        }
    }
}
