package dev.leasehold.cli.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads YAML into flat settings, each with its line. {@code a: {b: 1}} and {@code a.b: 1} are the same. */
final class YamlFile {
    /** The value of a list with nothing in it, where that is a setting of its own. */
    static final String EMPTY_LIST = "[]";

    private final Path file;
    private final YAMLParser parser;
    private final List<ConfigValue> values = new ArrayList<>();

    private YamlFile(Path file, YAMLParser parser) {
        this.file = file;
        this.parser = parser;
    }

    static List<ConfigValue> read(Path file, String text) {
        try (YAMLParser parser = new YAMLFactory().createParser(text)) {
            YamlFile reader = new YamlFile(file, parser);
            if (parser.nextToken() != null) {
                reader.value("");
            }
            if (parser.nextToken() != null) {
                throw new ConfigException(file + " holds more than one document; one was expected");
            }
            return reader.values;
        } catch (JsonProcessingException e) {
            throw new ConfigException(ConfigValue.line(
                            file, e.getLocation() == null ? 1 : e.getLocation().getLineNr()) + " is not YAML: "
                    + e.getOriginalMessage().lines().findFirst().orElse(""));
        } catch (IOException e) {
            throw new ConfigException("could not read " + file + ": " + e.getMessage());
        }
    }

    private void value(String key) throws IOException {
        if (parser.isCurrentAlias()) {
            throw new ConfigException(here() + " refers to an anchor, which is not supported; write the value out");
        }
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            mapping(key);
        } else if (token == JsonToken.START_ARRAY) {
            list(key);
        } else if (key.isEmpty()) {
            throw new ConfigException(here() + " must begin with a setting such as 'address: 127.0.0.1:2319'");
        } else if (token != JsonToken.VALUE_NULL) {
            values.add(new ConfigValue(key, parser.getText(), here()));
        }
    }

    private void mapping(String key) throws IOException {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            value(key.isEmpty() ? name : key + "." + name);
        }
    }

    private void list(String key) throws IOException {
        String source = here();
        int length = 0;
        for (; parser.nextToken() != JsonToken.END_ARRAY; length++) {
            value(key + "[" + length + "]");
        }
        if (length == 0 && KnownSettings.find(key).isPresent()) {
            values.add(new ConfigValue(key, EMPTY_LIST, source)); // says something: nothing is not the same as not set
        }
    }

    private String here() {
        return ConfigValue.line(
                file, ((JsonParser) parser).currentTokenLocation().getLineNr());
    }
}
