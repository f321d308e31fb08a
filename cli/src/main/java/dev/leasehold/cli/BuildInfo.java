package dev.leasehold.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** What the build has written down about itself. */
public final class BuildInfo {
    private static final Properties PROPERTIES = load();

    private BuildInfo() {}

    /** The version of Leasehold. */
    public static String version() {
        return PROPERTIES.getProperty("version", "unknown");
    }

    private static Properties load() {
        Properties properties = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream("build.properties")) {
            if (in == null) {
                throw new IllegalStateException("the jar is incomplete: build.properties is missing");
            }
            properties.load(in);
            return properties;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
