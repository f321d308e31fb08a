package dev.leasehold.cli.config;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/** Reads a Java properties file into flat settings. */
final class PropertiesFile {
    private PropertiesFile() {}

    static List<Value> read(Path file, String text) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigException("could not read " + file + ": " + e.getMessage());
        }
        return properties.stringPropertyNames().stream()
                .sorted()
                .map(key -> new Value(key, properties.getProperty(key).strip(), Source.file(file)))
                .toList();
    }
}
