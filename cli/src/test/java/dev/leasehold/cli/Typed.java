package dev.leasehold.cli;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import picocli.CommandLine;

/** A command that was typed in this process, and what became of it. */
public record Typed(int status, String out, String err) {
    /** Types a command: {@code Typed.command("lock", "list")}. */
    public static Typed command(String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine leasehold = Main.commandLine();
        leasehold.setOut(new PrintWriter(out, true));
        leasehold.setErr(new PrintWriter(err, true));
        int status = leasehold.execute(words);
        return new Typed(status, out.toString(), err.toString());
    }

    /** Types a command with this on its standard input. */
    public static synchronized Typed withInput(String input, String... words) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        try {
            return command(words);
        } finally {
            System.setIn(before);
        }
    }

    /** The words of a command, and where it is to work. */
    public static String[] at(String url, String... words) {
        return Stream.concat(Stream.of(words), Stream.of("--url", url)).toArray(String[]::new);
    }
}
