package dev.leasehold.cli.config;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** The settings in a file: YAML, or Java properties by the name's ending. Refuses what there is no setting for. */
final class ConfigFile {
    /** Chooses a backend where there are several; here there is one. */
    private static final String SPRING_PROFILE = "spring.profiles.active";

    private ConfigFile() {}

    static Map<String, ConfigValue> read(Path file) {
        String text = text(file);
        List<ConfigValue> values =
                file.toString().endsWith(".properties") ? properties(file, text) : YamlFile.read(file, text);
        Map<String, ConfigValue> byKey = new LinkedHashMap<>();
        for (ConfigValue value : values) {
            if (!value.key().equals(SPRING_PROFILE)) {
                check(value);
                add(byKey, value);
            }
        }
        return byKey;
    }

    private static List<ConfigValue> properties(Path file, String text) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigException("could not read " + file + ": " + e.getMessage());
        }
        return properties.stringPropertyNames().stream()
                .sorted()
                .map(key -> new ConfigValue(key, properties.getProperty(key).strip(), file.toString()))
                .toList();
    }

    private static void add(Map<String, ConfigValue> byKey, ConfigValue value) {
        ConfigValue before = byKey.put(value.key(), value);
        if (before != null) {
            throw new ConfigException(
                    value.key() + " is set twice: in " + before.source() + " and in " + value.source());
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new ConfigException("there is no configuration file '" + file + "'");
        } catch (IOException e) {
            throw new ConfigException("could not read " + file + ": " + FileProblem.reason(e));
        }
    }

    private static void check(ConfigValue value) {
        if (KnownSettings.find(value.key()).isPresent()) {
            return;
        }
        String pattern = Setting.pattern(value.key());
        Optional<String> shape = shape(pattern);
        if (shape.isPresent()) {
            throw new ConfigException(value.where() + " must be " + shape.get());
        }
        if (pattern.startsWith("locker.") && !pattern.startsWith("locker.postgres.")) {
            throw new ConfigException("there is no setting " + value.where()
                    + ": locks lie in PostgreSQL here; use locker.postgres.* or postgres-url");
        }
        List<String> names = KnownSettings.ALL.stream().map(Setting::key).toList();
        throw new ConfigException("there is no setting " + value.where() + Suggestion.question(pattern, names));
    }

    /** What a key with a plain value should have been, if settings lie under it. */
    private static Optional<String> shape(String pattern) {
        if (KnownSettings.ALL.stream().anyMatch(setting -> setting.key().startsWith(pattern + "[]"))) {
            return Optional.of("a list");
        }
        return KnownSettings.ALL.stream().anyMatch(setting -> setting.key().startsWith(pattern + "."))
                ? Optional.of("a mapping of settings, not a plain value")
                : Optional.empty();
    }
}
