package dev.leasehold.cli;

import dev.leasehold.cli.command.Prompt;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/** A command that was typed in this process, and what became of it. */
public record Typed(int status, String out, String err) {
    private static final Prompt NO_TERMINAL = question -> Optional.empty();

    /** Types a command: {@code Typed.command("lock", "list")}. There is no terminal to ask at. */
    public static Typed command(String... words) {
        return execute(Main.commandLine(NO_TERMINAL), new StringWriter(), words);
    }

    /** Types a command at a terminal, and answers every question of it. The questions are the last lines of {@code err}. */
    public static Typed answering(String answer, String... words) {
        List<String> questions = new ArrayList<>();
        Typed typed = execute(
                Main.commandLine(question -> {
                    questions.add(question);
                    return Optional.of(answer);
                }),
                new StringWriter(),
                words);
        return new Typed(typed.status, typed.out, typed.err + String.join("\n", questions));
    }

    /** Types a command at a terminal that has colours. */
    public static Typed inColor(String... words) {
        CommandLine leasehold = Main.commandLine(NO_TERMINAL);
        leasehold.setColorScheme(Help.defaultColorScheme(Ansi.ON));
        return execute(leasehold, new StringWriter(), words);
    }

    /** Types a command whose output can be read while it runs. */
    public static Typed into(StringWriter out, String... words) {
        return execute(Main.commandLine(NO_TERMINAL), out, words);
    }

    private static Typed execute(CommandLine leasehold, StringWriter out, String... words) {
        StringWriter err = new StringWriter();
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
