package dev.leasehold.cli.verb;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The answer of a command: a JSON document for scripts, or aligned text for people. */
public final class Output {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST = 60;
    private static final String NOTHING = "-";

    private final PrintWriter out;
    private final boolean isJson;

    Output(PrintWriter out, boolean isJson) {
        this.out = out;
        this.isJson = isJson;
    }

    /** Writes the document, or lets {@code human} write. */
    public void answer(Map<String, ?> document, Runnable human) {
        if (isJson) {
            out.println(json(document));
        } else {
            human.run();
        }
    }

    private static String json(Object document) {
        try {
            return JSON.writeValueAsString(document);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a document could not be written", e);
        }
    }

    /** Writes text as it is. */
    public void text(String text) {
        out.println(text);
    }

    /** Writes names with their values, one in a line. */
    public void fields(Map<String, String> fields) {
        int width = fields.keySet().stream().mapToInt(String::length).max().orElse(0);
        fields.forEach((name, value) -> out.println(padded(name + ":", width + 1) + "  " + printable(value)));
    }

    /** Writes rows under their header, in columns. */
    public void table(List<String> header, List<List<String>> rows) {
        List<List<String>> clean = rows.stream()
                .map(row -> row.stream().map(Output::printable).toList())
                .toList();
        int[] widths = IntStream.range(0, header.size())
                .map(column -> width(header, clean, column))
                .toArray();
        row(header, widths);
        clean.forEach(row -> row(row, widths));
    }

    private static int width(List<String> header, List<List<String>> rows, int column) {
        int widest =
                rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
        return Math.max(header.get(column).length(), widest);
    }

    private void row(List<String> cells, int[] widths) {
        out.println(IntStream.range(0, widths.length)
                .mapToObj(column -> padded(cells.get(column), widths[column]))
                .collect(Collectors.joining("  "))
                .stripTrailing());
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    /** Whether everything has reached its reader so far. */
    public boolean isIntact() {
        return !out.checkError();
    }

    /** A moment for people, to the millisecond. */
    public static String moment(@Nullable Instant moment) {
        return moment == null ? NOTHING : moment.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /** A text for people that may be empty. */
    public static String orNothing(@Nullable String text) {
        return text == null || text.isEmpty() ? NOTHING : text;
    }

    /** The beginning of some bytes for people, if they are text. */
    public static String preview(byte[] bytes) {
        if (bytes.length == 0) {
            return NOTHING;
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
        } catch (CharacterCodingException e) {
            return "(" + bytes.length + " bytes)";
        }
    }

    /** Without what would move the cursor or change the colours of a terminal. */
    static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
