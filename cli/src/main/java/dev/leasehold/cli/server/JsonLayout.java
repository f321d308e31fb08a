package dev.leasehold.cli.server;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.Locale;

/** A log line as one JSON object. */
final class JsonLayout extends LayoutBase<ILoggingEvent> {
    @Override
    public String doLayout(ILoggingEvent event) {
        StringBuilder line = new StringBuilder("{");
        field(line, "time", event.getInstant().toString());
        field(line.append(','), "level", event.getLevel().toString().toLowerCase(Locale.ROOT));
        field(line.append(','), "logger", event.getLoggerName());
        field(line.append(','), "message", event.getFormattedMessage());
        IThrowableProxy error = event.getThrowableProxy();
        if (error != null) {
            field(line.append(','), "error", ThrowableProxyUtil.asString(error));
        }
        return line.append("}\n").toString();
    }

    private static void field(StringBuilder line, String name, String text) {
        line.append('"').append(name).append("\":\"");
        JsonStringEncoder.getInstance().quoteAsString(text, line);
        line.append('"');
    }
}
