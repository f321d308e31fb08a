package dev.leasehold.cli.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings in environment variables. An empty variable is not set. The environment belongs to many programs, so of unknown
 * variables only those are refused that look like one of ours, misspelt.
 */
final class Environment {
    private static final List<String> PREFIXES = List.of("LEASEHOLD_", "LOCKER_POSTGRES_");

    private Environment() {}

    static Map<String, ConfigValue> read(Map<String, String> variables) {
        refuseMisspelt(variables);
        Map<String, ConfigValue> values = new LinkedHashMap<>();
        for (Setting setting : KnownSettings.ALL) {
            setting.variables().stream()
                    .filter(name -> !variables.getOrDefault(name, "").isEmpty())
                    .findFirst()
                    .ifPresent(name -> values.put(
                            setting.key(),
                            new ConfigValue(
                                    setting.key(), variables.getOrDefault(name, ""), ConfigValue.variable(name))));
        }
        return values;
    }

    private static void refuseMisspelt(Map<String, String> variables) {
        List<String> known = KnownSettings.ALL.stream()
                .flatMap(setting -> setting.variables().stream())
                .toList();
        for (String name : variables.keySet()) {
            Optional<String> prefix = PREFIXES.stream().filter(name::startsWith).findFirst();
            if (prefix.isPresent() && !known.contains(name)) {
                String rest = name.substring(prefix.get().length());
                List<String> rests = known.stream()
                        .filter(other -> other.startsWith(prefix.get()))
                        .map(other -> other.substring(prefix.get().length()))
                        .toList();
                Suggestion.to(rest, rests).ifPresent(near -> {
                    throw new ConfigException("there is no setting for the environment variable " + name
                            + "; did you mean '" + prefix.get() + near + "'?");
                });
            }
        }
    }
}
