package dev.leasehold.cli.command;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Stack;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option that repeats what a command shows until ctrl-C. */
public final class WatchOption {
    private static final String DEFAULT = "2s";
    private static final Duration LEAST = Duration.ofMillis(200);
    private static final Duration MOST = Duration.ofHours(1);
    private static final int SIGINT = 2;

    /** Moves the cursor home; what follows overwrites the last frame line by line, so that nothing flickers. */
    private static final String HOME = "\u001b[H";

    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--watch",
            arity = "0..1",
            paramLabel = "DURATION",
            order = 96,
            converter = DurationConverter.class,
            preprocessor = AttachedValue.class,
            description = "Repeat it every 2s, or every so often with --watch=10s, until ctrl-C.")
    private @Nullable Duration watch;

    /** Shows something once and returns the exit status. */
    @FunctionalInterface
    public interface Frame {
        int show(Output output);
    }

    /** Shows it once, or again and again if the user wants to watch. */
    public int show(OutputFormat format, Frame frame) {
        PrintWriter out = spec.commandLine().getOut();
        Duration interval = watch;
        if (interval == null) {
            return frame.show(format.output(spec.commandLine()));
        }
        boolean redraws = spec.commandLine().getColorScheme().ansi().enabled() && !format.isJson();
        out.print(redraws ? HOME + CLEAR_BELOW : "");
        try {
            while (!out.checkError()) {
                out.print(frame(format, frame, interval, redraws));
                out.flush();
                Thread.sleep(interval.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return ExitStatus.SIGNAL + SIGINT;
    }

    /** Refuses an interval that would burden the store, or never end. */
    public void check() {
        if (watch != null && (watch.compareTo(LEAST) < 0 || watch.compareTo(MOST) > 0)) {
            throw CliException.usage("--watch must be from 200ms to 1h");
        }
    }

    private String frame(OutputFormat format, Frame frame, Duration interval, boolean redraws) {
        StringWriter text = new StringWriter();
        try (PrintWriter into = new PrintWriter(text)) {
            if (!format.isJson()) {
                into.println("Every " + interval.toMillis() / 1000.0 + " s, last at "
                        + Instant.now().truncatedTo(ChronoUnit.SECONDS) + "; ctrl-C ends it");
            }
            frame.show(format.output(spec.commandLine(), into));
        }
        return redraws
                ? HOME + text.toString().replace("\n", CLEAR_LINE + "\n") + CLEAR_BELOW
                : text + (format.isJson() ? "" : System.lineSeparator());
    }

    /** Takes {@code --watch ledger:7} for the option alone and a key: only {@code --watch=5s} has a value. */
    static final class AttachedValue implements IParameterPreprocessor {
        @Override
        @SuppressWarnings("JdkObsolete") // the parser's own type
        public boolean preprocess(
                Stack<String> arguments, CommandSpec command, ArgSpec option, Map<String, Object> info) {
            if (!"=".equals(info.get("separator"))) {
                arguments.push(DEFAULT);
            }
            return false;
        }
    }
}
