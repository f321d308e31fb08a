package dev.leasehold.cli.config;

import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueRules;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** What all sources together say, the stronger ones first: options, environment, file, defaults. */
public final class Settings {
    private final Map<String, ConfigValue> values;

    private Settings(Map<String, ConfigValue> values) {
        this.values = values;
    }

    /** Puts sources over one another, the weakest first. */
    static Settings over(List<Map<String, ConfigValue>> sources) {
        Map<String, ConfigValue> values = new LinkedHashMap<>();
        for (Setting setting : KnownSettings.ALL) {
            String fallback = setting.fallback();
            if (fallback != null) {
                values.put(setting.key(), new ConfigValue(setting.key(), fallback, ConfigValue.DEFAULT));
            }
        }
        sources.forEach(values::putAll);
        return new Settings(values);
    }

    /** These with the store that was chosen, and without what then means nothing. */
    Settings completed(StoreChoice choice) {
        Map<String, ConfigValue> all = new LinkedHashMap<>(values);
        all.put("store", new ConfigValue("store", choice.kind().name().toLowerCase(Locale.ROOT), choice.source()));
        if (choice.kind() != Storage.Kind.EMBEDDED) {
            all.keySet().removeAll(List.of("data-dir", "embedded.port"));
        }
        return new Settings(all);
    }

    /** Everything that is set, by key. */
    public List<ConfigValue> all() {
        return List.copyOf(new TreeMap<>(values).values());
    }

    Optional<ConfigValue> find(String key) {
        return Optional.ofNullable(values.get(key));
    }

    /** Whether somebody has said so. */
    boolean isGiven(String key) {
        return find(key)
                .filter(value -> !value.source().equals(ConfigValue.DEFAULT))
                .isPresent();
    }

    Optional<String> text(String key) {
        return find(key).map(ConfigValue::text);
    }

    String text(String key, String fallback) {
        return text(key).orElse(fallback);
    }

    int number(String key, int fallback, int least, int most) {
        return find(key).map(value -> number(value, least, most)).orElse(fallback);
    }

    static int number(ConfigValue value, int least, int most) {
        try {
            int number = Integer.parseInt(value.text().strip());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw wrong(value, "must be a whole number from " + least + " to " + most);
        }
        throw wrong(value, "must be a whole number from " + least + " to " + most);
    }

    boolean flag(String key, boolean fallback) {
        return find(key).map(Settings::flag).orElse(fallback);
    }

    private static boolean flag(ConfigValue value) {
        return oneOf(value, List.of("true", "false")).equals("true");
    }

    /** One of a few words, whatever their case. */
    static String oneOf(ConfigValue value, List<String> words) {
        return words.stream()
                .filter(value.text().strip()::equalsIgnoreCase)
                .findFirst()
                .orElseThrow(() -> wrong(value, "must be one of " + String.join(", ", words)));
    }

    Duration duration(String key, Duration fallback) {
        return find(key).map(Settings::duration).orElse(fallback);
    }

    private static Duration duration(ConfigValue value) {
        try {
            Duration duration = QueueRules.parseRequestTimeout(value.text());
            if (!duration.isNegative() && !duration.isZero()) {
                return duration;
            }
        } catch (QueueException e) {
            throw wrong(value, "must be a duration such as 30s or 5m");
        }
        throw wrong(value, "must be longer than zero");
    }

    /** The keys of the elements of a list: {@code queues[0]}, {@code queues[1]} and so on. */
    List<String> elements(String list) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> list + "[" + i + "]")
                .takeWhile(element ->
                        values.keySet().stream().anyMatch(key -> key.equals(element) || key.startsWith(element + ".")))
                .toList();
    }

    /** The first value under a key, to say where an element is that lacks something. */
    ConfigValue first(String prefix) {
        return values.values().stream()
                .filter(value -> value.key().startsWith(prefix))
                .findFirst()
                .orElseThrow();
    }

    ConfigValue required(String element, String name) {
        return find(element + "." + name)
                .orElseThrow(() ->
                        new ConfigException(element + " (" + first(element).source() + ") needs a '" + name + "'"));
    }

    static ConfigException wrong(ConfigValue value, String what) {
        String got = KnownSettings.isSecret(value.key()) ? "" : ", got '" + value.text() + "'";
        return new ConfigException(value.where() + " " + what + got);
    }

    static ConfigException contradiction(ConfigValue one, ConfigValue other, String why) {
        return new ConfigException(one.where() + " and " + other.where() + " contradict each other: " + why);
    }
}
