package dev.leasehold.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Why a server did not start: the last complaints in its log. */
final class LogTail {
    private static final int LINES = 3;

    private LogTail() {}

    /** Their text, or {@code otherwise} if there are none. */
    static String reason(Path log, String otherwise) {
        try {
            List<String> complaints = Files.readAllLines(log).stream()
                    .filter(line -> line.contains("FATAL: ") || line.contains("PANIC: ") || line.contains("could not "))
                    .map(LogTail::withoutTime)
                    .toList();
            if (!complaints.isEmpty()) {
                return complaints.stream()
                        .skip(Math.max(0, complaints.size() - LINES))
                        .collect(Collectors.joining("; "));
            }
        } catch (IOException e) {
            return otherwise.strip() + " (and its log cannot be read)";
        }
        return otherwise.strip();
    }

    private static String withoutTime(String line) {
        return line.replaceFirst("^.*?\\] [A-Z]+: +", "");
    }
}
