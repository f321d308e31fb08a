package dev.leasehold.embedded;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The processes whose working directory is a cluster, as all processes of a PostgreSQL server have it. */
final class ProcessesIn {
    private ProcessesIn() {}

    static List<ProcessHandle> directory(Path cluster) {
        List<ProcessHandle> found = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                if (worksIn(process, cluster)) {
                    ProcessHandle.of(Long.parseLong(process.getFileName().toString()))
                            .ifPresent(found::add);
                }
            }
        } catch (IOException e) {
            throw Trouble.with("list the processes of this machine", e);
        }
        return found;
    }

    private static boolean worksIn(Path process, Path cluster) {
        try {
            return Files.readSymbolicLink(process.resolve("cwd")).equals(cluster);
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether a process is a child of a postmaster, by the title that PostgreSQL gives it. A postmaster itself is none. */
    static boolean isBackend(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"))
                    .startsWith("postgres: ");
        } catch (IOException e) {
            return false;
        }
    }
}
