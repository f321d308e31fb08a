package dev.leasehold.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A process of this machine. Its start tells it from a later process with the same number.
 *
 * @param startTicks when it started, in clock ticks since the machine was booted
 */
public record ProcessId(long pid, long startTicks) {
    /** Where {@code /proc/<pid>/stat} has the start, counted from behind the name. */
    private static final int START = 19;

    /** The identity of a process that runs. */
    public static ProcessId of(ProcessHandle process) {
        Path file = Path.of("/proc", Long.toString(process.pid()), "stat");
        try {
            String stat = Files.readString(file);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return new ProcessId(process.pid(), Long.parseLong(fields[START]));
        } catch (IOException e) {
            throw Trouble.with("read '" + file + "'", e);
        }
    }
}
