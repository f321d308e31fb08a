package dev.leasehold.cli.doctor;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The result of a check.
 *
 * @param found what the check found
 * @param advice what to do about it; empty if nothing
 */
record Verdict(Level level, String found, String advice) {
    /** How bad it is. */
    enum Level {
        OK,
        WARN,
        FAIL;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Verdict ok(String found) {
        return new Verdict(Level.OK, found, "");
    }

    static Verdict warn(String found, String advice) {
        return new Verdict(Level.WARN, found, advice);
    }

    static Verdict fail(String found, String advice) {
        return new Verdict(Level.FAIL, found, advice);
    }

    Map<String, String> json(String check) {
        Map<String, String> document = new LinkedHashMap<>();
        document.put("check", check);
        document.put("status", level.text());
        document.put("found", found);
        document.put("advice", advice);
        return document;
    }
}
