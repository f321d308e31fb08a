package dev.leasehold.chaos.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A journal of JSON lines. Every event is one write to the operating system, so nothing is lost with the process; a line that was
 * cut short by its end is left out when the file is read.
 */
final class JournalFile implements Journal {
    private static final JsonMapper JSON = new JsonMapper();
    private static final ObjectWriter WRITER = JSON.writerFor(Event.class);
    private static final ObjectReader READER = JSON.readerFor(Event.class);

    private final Path file;
    private final FileChannel channel;

    JournalFile(Path file) {
        this.file = file;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void append(Event event) {
        try {
            ByteBuffer line =
                    ByteBuffer.wrap((WRITER.writeValueAsString(event) + "\n").getBytes(StandardCharsets.UTF_8));
            write(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An interrupt must not close the channel under the others, which is what it does to whoever writes. */
    private void write(ByteBuffer line) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            synchronized (this) {
                while (line.hasRemaining()) {
                    channel.write(line);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public List<Event> events() {
        return read(file);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Event> read(Path file) {
        try {
            String text = Files.readString(file);
            int end = text.lastIndexOf('\n') + 1;
            List<Event> events = new ArrayList<>();
            for (String line : text.substring(0, end).split("\n", -1)) {
                if (!line.isEmpty()) {
                    events.add(parse(file, line));
                }
            }
            return events;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Event parse(Path file, String line) throws IOException {
        try {
            return READER.readValue(line);
        } catch (JsonProcessingException e) {
            throw new IOException("a line of " + file + " is no event: " + line, e);
        }
    }
}
