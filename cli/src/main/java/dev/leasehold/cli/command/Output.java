package dev.leasehold.cli.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi.IStyle;
import picocli.CommandLine.Help.Ansi.Style;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;

/** The result of a command on standard output: a JSON document for scripts, or text for people, coloured on a terminal. */
public final class Output {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST = 60;
    private static final int GAP = 2;
    private static final String NOTHING = "-";

    /** The words of states that people look for in a table. */
    private static final Map<String, IStyle> COLORS =
            Map.of("ok", Style.fg_green, "warn", Style.fg_yellow, "fail", Style.fg_red);

    private final PrintWriter out;
    private final ColorScheme colors;
    private final boolean isJson;

    Output(PrintWriter out, ColorScheme colors, boolean isJson) {
        this.out = out;
        this.colors = colors;
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
        List<List<Text>> rows = new ArrayList<>();
        fields.forEach((name, value) -> rows.add(List.of(styled(name + ":", Style.bold), plain(value))));
        write(rows);
    }

    /** Writes rows under their header, in columns. */
    public void table(List<String> header, List<List<String>> rows) {
        List<List<Text>> cells = new ArrayList<>();
        cells.add(header.stream().map(name -> styled(name, Style.bold)).toList());
        rows.forEach(row -> cells.add(row.stream().map(this::plain).toList()));
        write(cells);
    }

    private void write(List<List<Text>> rows) {
        if (rows.isEmpty()) {
            return;
        }
        Column[] columns = IntStream.range(0, rows.get(0).size())
                .mapToObj(column -> new Column(width(rows, column), 0, Column.Overflow.TRUNCATE))
                .toArray(Column[]::new);
        TextTable table = TextTable.forColumns(colors, columns);
        rows.forEach(row -> table.addRowValues(row.toArray(Text[]::new)));
        out.print(table);
    }

    private static int width(List<List<Text>> rows, int column) {
        return GAP
                + rows.stream()
                        .mapToInt(row -> row.get(column).plainString().length())
                        .max()
                        .orElse(0);
    }

    private Text plain(String text) {
        IStyle color = COLORS.get(text);
        return color == null ? colors.apply(printable(text), List.of()) : styled(text, color);
    }

    private Text styled(String text, IStyle style) {
        return colors.apply(printable(text), List.of(style));
    }

    /** Whether everything has reached its reader so far. */
    public boolean isIntact() {
        return !out.checkError();
    }

    /** A moment for people, to the millisecond. */
    public static String moment(@Nullable Instant moment) {
        return moment == null ? NOTHING : moment.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /** A moment for people with how far it is from now. */
    public static String momentAndAge(Instant moment) {
        return Ages.of(moment) + " (" + moment(moment) + ")";
    }

    /** How far a moment is from now. */
    public static String age(@Nullable Instant moment) {
        return moment == null ? NOTHING : Ages.of(moment);
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
