package dev.leasehold.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The processor time of a PostgreSQL on this machine, from what Linux tells of its processes. */
final class DatabaseCpu {
    private static final Path PROC = Path.of("/proc");
    private static final long NANOS_PER_TICK = 10_000_000; // a tick is 10 ms wherever Java runs on Linux
    private static final int PARENT = 1;
    private static final int OWN_TIME = 11;
    private static final int TIME_OF_ENDED_CHILDREN = 13;

    private final long postmaster;

    private DatabaseCpu(long postmaster) {
        this.postmaster = postmaster;
    }

    /** Of the server that the backend belongs to. */
    static DatabaseCpu ofBackend(long backend) {
        List<String> fields = fields(backend);
        boolean here = !fields.isEmpty() && isPostgres(backend);
        return new DatabaseCpu(here ? Long.parseLong(fields.get(PARENT)) : -1);
    }

    private static boolean isPostgres(long process) {
        try {
            return Files.readString(PROC.resolve(process + "/comm")).startsWith("postgres");
        } catch (IOException e) {
            return false;
        }
    }

    /** All it has used since it began, its processes that have ended included; empty if that cannot be seen from here. */
    OptionalLong nanos() {
        List<String> own = fields(postmaster);
        if (own.isEmpty()) {
            return OptionalLong.empty();
        }
        long ticks = ticks(own, OWN_TIME) + ticks(own, TIME_OF_ENDED_CHILDREN);
        try (Stream<ProcessHandle> children = children()) {
            ticks += children.map(child -> fields(child.pid()))
                    .filter(fields -> !fields.isEmpty())
                    .mapToLong(fields -> ticks(fields, OWN_TIME))
                    .sum();
        }
        return OptionalLong.of(ticks * NANOS_PER_TICK);
    }

    private Stream<ProcessHandle> children() {
        return ProcessHandle.of(postmaster).stream().flatMap(ProcessHandle::children);
    }

    /** User and system time stand side by side. */
    private static long ticks(List<String> fields, int first) {
        return Long.parseLong(fields.get(first)) + Long.parseLong(fields.get(first + 1));
    }

    /** What follows the name of the program, which may itself contain spaces; empty if there is no such process. */
    private static List<String> fields(long process) {
        try {
            String stat = Files.readString(PROC.resolve(process + "/stat"));
            return List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
        } catch (IOException e) {
            return List.of();
        }
    }
}
