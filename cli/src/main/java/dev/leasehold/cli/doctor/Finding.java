package dev.leasehold.cli.doctor;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A check's verdict, with the check's name. */
record Finding(String check, Verdict verdict) {
    String level() {
        return verdict.level().name().toLowerCase(Locale.ROOT);
    }

    Map<String, String> document() {
        Map<String, String> document = new LinkedHashMap<>();
        document.put("check", check);
        document.put("status", level());
        document.put("found", verdict.found());
        document.put("advice", verdict.advice());
        return document;
    }
}
