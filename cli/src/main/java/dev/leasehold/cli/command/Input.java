package dev.leasehold.cli.command;

import dev.leasehold.cli.config.FileProblem;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a command reads: a file, or standard input. */
public final class Input {
    /** Stands for standard input. */
    public static final String STDIN = "-";

    private Input() {}

    /** Opens a file; standard input for {@code -} or none. */
    public static InputStream open(@Nullable Path file) {
        if (file == null || file.toString().equals(STDIN)) {
            return new Uncloseable(System.in);
        }
        if (Files.isDirectory(file)) {
            throw CliException.failed("The file " + file + " could not be opened: it is a directory");
        }
        try {
            return Files.newInputStream(file);
        } catch (IOException e) {
            throw CliException.failed("The file " + file + " could not be opened: " + FileProblem.reason(e), e);
        }
    }

    /** The lines of a file or of standard input, without spaces around them and without empty ones. */
    public static List<String> words(@Nullable Path file) throws IOException {
        try (InputStream in = open(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .toList();
        }
    }

    /** Standard input belongs to the process, not to who reads from it. */
    private static final class Uncloseable extends FilterInputStream {
        Uncloseable(InputStream in) {
            super(in);
        }

        @Override
        public void close() {}
    }
}
