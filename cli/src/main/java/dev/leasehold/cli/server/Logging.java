package dev.leasehold.cli.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import org.slf4j.LoggerFactory;

/** Sets up logging. */
public final class Logging {
    /** The request log: its messages are whole lines already. */
    private static final String REQUESTS = "canonical";

    private static final String TEXT = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX, UTC} %-5level %logger{0} %msg%n";
    private static final String COLOR = "%gray(%d{HH:mm:ss.SSS}) %highlight(%-5level) %cyan(%logger{0}) %msg%n";

    private Logging() {}

    /** For commands that report failures themselves: what should not happen, on standard error. */
    public static void errorsOnly() {
        toStandardError(Level.ERROR);
    }

    /** For commands that end: warnings alone, and not among their output. */
    public static void quiet() {
        toStandardError(Level.WARN);
    }

    private static void toStandardError(Level level) {
        LoggerContext context = reset();
        root(context, level).addAppender(appender(context, pattern(context, TEXT), "System.err"));
    }

    /** What one class says in detail, too. */
    public static void debug(String name) {
        ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger(name).setLevel(Level.DEBUG);
    }

    /** For the server. */
    public static void start(String handler, String level) {
        LoggerContext context = reset();
        Encoder<ILoggingEvent> encoder = switch (handler) {
            case "json" -> json(context);
            case "text" -> pattern(context, TEXT);
            default -> pattern(context, COLOR);
        };
        root(context, Level.toLevel(level)).addAppender(appender(context, encoder, "System.out"));
        Logger requests = context.getLogger(REQUESTS);
        requests.setAdditive(false);
        requests.setLevel(Level.INFO);
        requests.addAppender(appender(context, pattern(context, "%msg%n"), "System.out"));
    }

    private static LoggerContext reset() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        return context;
    }

    /** What the libraries say of themselves is seldom news. */
    private static Logger root(LoggerContext context, Level level) {
        for (String library : new String[] {"io.netty", "io.vertx", "com.zaxxer.hikari"}) {
            context.getLogger(library).setLevel(Level.WARN);
        }
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(level);
        return root;
    }

    private static Encoder<ILoggingEvent> pattern(LoggerContext context, String pattern) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(pattern);
        encoder.start();
        return encoder;
    }

    private static Encoder<ILoggingEvent> json(LoggerContext context) {
        JsonLayout layout = new JsonLayout();
        layout.setContext(context);
        layout.start();
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(context);
        encoder.setLayout(layout);
        encoder.start();
        return encoder;
    }

    private static ConsoleAppender<ILoggingEvent> appender(
            LoggerContext context, Encoder<ILoggingEvent> encoder, String target) {
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget(target);
        appender.setEncoder(encoder);
        appender.start();
        return appender;
    }
}
