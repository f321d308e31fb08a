package dev.leasehold.cli.config;

import java.nio.file.Path;

/** Where a value came from, in words. */
public record Source(String text) {
    static final Source DEFAULT = new Source("default");

    static Source line(Path file, int line) {
        return new Source("line " + line + " of " + file);
    }

    static Source file(Path file) {
        return new Source(file.toString());
    }

    static Source variable(String name) {
        return new Source("environment variable " + name);
    }

    static Source option(String name) {
        return new Source("option " + name);
    }

    @Override
    public String toString() {
        return text;
    }
}
