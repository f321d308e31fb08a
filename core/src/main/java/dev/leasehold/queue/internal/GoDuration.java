package dev.leasehold.queue.internal;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Querator's clients write and read them: 1m30s, 300ms, 1.5s. */
public final class GoDuration {
    private static final Map<String, Long> UNITS = units();
    private static final Pattern PART = Pattern.compile("(\\d*)(\\.\\d*)?([^\\d.]*)");

    private GoDuration() {}

    private static Map<String, Long> units() {
        Map<String, Long> units = new LinkedHashMap<>();
        units.put("ns", 1L);
        units.put("us", 1_000L);
        units.put("\u00b5s", 1_000L);
        units.put("\u03bcs", 1_000L);
        units.put("ms", 1_000_000L);
        units.put("s", 1_000_000_000L);
        units.put("m", 60_000_000_000L);
        units.put("h", 3_600_000_000_000L);
        return units;
    }

    /** Reads a duration; the message of the exception is the one that Go gives. */
    public static Duration parse(String text) {
        boolean negative = text.startsWith("-");
        String rest = negative || text.startsWith("+") ? text.substring(1) : text;
        if (rest.equals("0")) {
            return Duration.ZERO;
        }
        if (rest.isEmpty()) {
            throw invalid(text);
        }
        BigDecimal nanos = BigDecimal.ZERO;
        while (!rest.isEmpty()) {
            Matcher part = PART.matcher(rest);
            if (!part.lookingAt()) {
                throw invalid(text);
            }
            nanos = nanos.add(nanos(part, text));
            rest = rest.substring(part.end());
        }
        if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw invalid(text);
        }
        long value = nanos.setScale(0, RoundingMode.DOWN).longValueExact();
        return Duration.ofNanos(negative ? -value : value);
    }

    private static BigDecimal nanos(Matcher part, String text) {
        String fraction = part.group(2) == null ? "" : part.group(2);
        boolean hasDigits = !part.group(1).isEmpty() || fraction.length() > 1;
        if (!hasDigits) {
            throw invalid(text);
        }
        String unit = part.group(3);
        if (unit.isEmpty()) {
            throw new IllegalArgumentException("time: missing unit in duration " + quoted(text));
        }
        Long size = UNITS.get(unit);
        if (size == null) {
            throw new IllegalArgumentException("time: unknown unit " + quoted(unit) + " in duration " + quoted(text));
        }
        String digits = part.group(1).isEmpty() ? "0" : part.group(1);
        return new BigDecimal(digits + (fraction.length() > 1 ? fraction : ""))
                .multiply(BigDecimal.valueOf(size))
                .setScale(0, RoundingMode.DOWN);
    }

    private static IllegalArgumentException invalid(String text) {
        return new IllegalArgumentException("time: invalid duration " + quoted(text));
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Writes a duration. */
    public static String format(Duration duration) {
        if (duration.isZero()) {
            return "0s";
        }
        String sign = duration.isNegative() ? "-" : "";
        Duration size = duration.abs();
        if (size.compareTo(Duration.ofSeconds(1)) < 0) {
            return sign + small(size.toNanos());
        }
        long hours = size.toHours();
        int minutes = size.toMinutesPart();
        String seconds =
                decimal(BigDecimal.valueOf(size.toSecondsPart() * 1_000_000_000L + size.toNanosPart(), 9)) + "s";
        if (hours > 0) {
            return sign + hours + "h" + minutes + "m" + seconds;
        }
        return sign + (minutes > 0 ? minutes + "m" : "") + seconds;
    }

    private static String small(long nanos) {
        if (nanos < 1_000) {
            return nanos + "ns";
        }
        return nanos < 1_000_000
                ? decimal(BigDecimal.valueOf(nanos, 3)) + "\u00b5s"
                : decimal(BigDecimal.valueOf(nanos, 6)) + "ms";
    }

    private static String decimal(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }
}
