package dev.leasehold.cli.config;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How to reach a PostgreSQL.
 *
 * @param place hosts, ports and database: {@code host:5432/database}
 * @param user the role; null leaves it to the driver
 * @param password its password; null if there is none
 * @param parameters further properties of the driver
 */
public record PostgresUrl(
        String place, @Nullable String user, @Nullable String password, Map<String, String> parameters) {
    public PostgresUrl {
        parameters = Map.copyOf(parameters);
    }

    /** Reads {@code postgres://user:password@host:port/database?parameters} or a JDBC URL. Messages never repeat it. */
    static PostgresUrl parse(ConfigValue value) {
        String text = value.text().strip();
        try {
            return text.startsWith("jdbc:") ? JdbcUrls.parse(text) : LibpqUrls.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(value.where()
                    + " must look like postgres://user:password@host:5432/database or"
                    + " jdbc:postgresql://host:5432/database: " + e.getMessage());
        }
    }

    /** The same for what somebody typed after an option. */
    public static PostgresUrl ofOption(String option, String text) {
        return parse(new ConfigValue(option, text, ConfigValue.option(option)));
    }

    /** The same with another password. */
    public PostgresUrl password(String other) {
        return new PostgresUrl(place, user, other, parameters);
    }

    PostgresUrl parameter(String name, String parameter) {
        Map<String, String> more = new TreeMap<>(parameters);
        more.put(name, parameter);
        return new PostgresUrl(place, user, password, more);
    }

    /** For the driver, without user, password and parameters. */
    public String jdbcUrl() {
        return "jdbc:postgresql://" + place;
    }

    /** For people: nothing secret. */
    public String display() {
        String who = user == null ? "" : user + (password == null ? "" : ":***") + "@";
        String with = new TreeMap<>(parameters)
                .entrySet().stream()
                        .map(parameter -> parameter.getKey() + "="
                                + (parameter.getKey().equals("sslpassword") ? "***" : parameter.getValue()))
                        .collect(Collectors.joining("&"));
        return "postgres://" + who + place + (with.isEmpty() ? "" : "?" + with);
    }

    @Override
    public String toString() {
        return display();
    }
}
