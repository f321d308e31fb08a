package dev.leasehold.spi;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Querator's clients write and read them: 1m30s, 300ms, 1.5s. */
public final class GoDuration {
    private static final Map<String, Long> UNITS = units();
    private static final Pattern PART = Pattern.compile("(?=.)(\\d*)(\\.\\d*)?([^\\d.]*)", Pattern.DOTALL);
    private static final BigInteger TOO_MUCH = BigInteger.ONE.shiftLeft(63);
    private static final int MOST_DIGITS = 19;

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
        BigInteger nanos = BigInteger.ZERO;
        Matcher part = PART.matcher(rest);
        while (part.lookingAt()) {
            nanos = checked(nanos.add(nanos(part, text)), text);
            part.region(part.end(), rest.length());
        }
        BigInteger signed = negative ? nanos.negate() : nanos;
        if (signed.equals(TOO_MUCH)) {
            throw invalid(text);
        }
        return Duration.ofNanos(signed.longValueExact());
    }

    private static BigInteger nanos(Matcher part, String text) {
        String whole = part.group(1);
        String fraction = part.group(2) == null ? "" : part.group(2).substring(1);
        if (whole.isEmpty() && fraction.isEmpty()) {
            throw invalid(text);
        }
        BigInteger count = count(whole, text);
        String unit = part.group(3);
        if (unit.isEmpty()) {
            throw new IllegalArgumentException("time: missing unit in duration " + quoted(text));
        }
        Long size = UNITS.get(unit);
        if (size == null) {
            throw new IllegalArgumentException("time: unknown unit " + quoted(unit) + " in duration " + quoted(text));
        }
        return count.multiply(BigInteger.valueOf(size)).add(BigInteger.valueOf(fraction(fraction, size)));
    }

    /** A whole number. One of a million digits is refused by its length: to read it would take minutes. */
    private static BigInteger count(String digits, String text) {
        String significant = digits.replaceFirst("^0+", "");
        if (significant.length() > MOST_DIGITS) {
            throw invalid(text);
        }
        return checked(new BigInteger("0" + significant), text);
    }

    /** In floating point and as many digits as a long holds, as in Go: 0.3333333333333333333h is twenty minutes. */
    private static long fraction(String digits, long unit) {
        long value = 0;
        double scale = 1;
        for (int i = 0; i < digits.length() && value <= (Long.MAX_VALUE - 9) / 10; i++) {
            value = value * 10 + (digits.charAt(i) - '0');
            scale *= 10;
        }
        return (long) (value * (unit / scale));
    }

    private static BigInteger checked(BigInteger nanos, String text) {
        if (nanos.compareTo(TOO_MUCH) > 0) {
            throw invalid(text);
        }
        return nanos;
    }

    private static IllegalArgumentException invalid(String text) {
        return new IllegalArgumentException("time: invalid duration " + quoted(text));
    }

    /** The text in quotes, with all but printable ASCII as bytes in hex. */
    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b < ' ') {
                quoted.append(String.format("\\x%02x", b & 0xFF));
            } else {
                quoted.append(b == '"' || b == '\\' ? "\\" : "").append((char) b);
            }
        }
        return quoted.append('"').toString();
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
