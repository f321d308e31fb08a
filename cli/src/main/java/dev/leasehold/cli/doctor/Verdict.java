package dev.leasehold.cli.doctor;

/**
 * What a check found.
 *
 * @param found what is so
 * @param advice what to do about it; empty if nothing
 */
record Verdict(Level level, String found, String advice) {
    /** How bad it is. */
    enum Level {
        OK,
        WARN,
        FAIL
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
}
