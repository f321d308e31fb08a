package dev.leasehold.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Why a server did not start: the last complaints in its log. */
final class LogTail {
    private static final int LINES = 3;
    private static final int MOST_BYTES = 16_384;

    private LogTail() {}

    /** Their text, or {@code otherwise} if there are none. */
    static String reason(Path log, String otherwise) {
        try {
            List<String> complaints = tail(log)
                    .lines()
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

    private static String tail(Path log) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(log)) {
            channel.position(Math.max(0, channel.size() - MOST_BYTES));
            ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // until it is full or the file ends
            }
            return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
        }
    }

    private static String withoutTime(String line) {
        return line.replaceFirst("^.*?\\] [A-Z]+: +", "");
    }
}
