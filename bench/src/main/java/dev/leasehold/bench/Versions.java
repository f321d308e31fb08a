package dev.leasehold.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The versions of the systems, as the build has written them down. */
public final class Versions {
    private static final Properties VERSIONS = load();

    private Versions() {}

    public static String of(String system) {
        String version = VERSIONS.getProperty(system);
        if (version == null) {
            throw new IllegalArgumentException("versions.properties has no version of " + system);
        }
        return version;
    }

    private static Properties load() {
        Properties properties = new Properties();
        try (InputStream in = Versions.class.getResourceAsStream("versions.properties")) {
            if (in == null) {
                throw new IllegalStateException("the jar is incomplete: versions.properties is missing");
            }
            properties.load(in);
            return properties;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
