package dev.leasehold.cli.config;

import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/** JDBC URLs as pgjdbc understands them. */
final class JdbcUrls {
    private static final Set<String> PLACE = Set.of("PGHOST", "PGPORT", "PGDBNAME", "user", "password");

    private JdbcUrls() {}

    static PostgresUrl parse(String text) {
        Properties properties = text.startsWith("jdbc:postgresql:") ? Driver.parseURL(text, new Properties()) : null;
        if (properties == null) {
            throw new IllegalArgumentException("the driver does not understand it");
        }
        String user = properties.getProperty("user");
        String place = place(
                properties.getProperty("PGHOST", "localhost"),
                properties.getProperty("PGPORT", "5432"),
                properties.getProperty("PGDBNAME", user == null ? "" : user));
        Map<String, String> parameters = new TreeMap<>();
        for (String name : properties.stringPropertyNames()) {
            if (!PLACE.contains(name)) {
                parameters.put(known(name), properties.getProperty(name));
            }
        }
        return new PostgresUrl(place, user, properties.getProperty("password"), parameters);
    }

    private static String place(String hosts, String ports, String database) {
        String[] host = hosts.split(",", -1);
        String[] port = ports.split(",", -1);
        StringBuilder place = new StringBuilder();
        for (int i = 0; i < host.length; i++) {
            place.append(i == 0 ? "" : ",").append(host[i]).append(':').append(port[Math.min(i, port.length - 1)]);
        }
        return place + "/" + database;
    }

    /** Refuses a parameter that the driver would silently ignore. */
    static String known(String name) {
        if (PGProperty.forName(name) == null) {
            String near = Suggestion.question(
                    name,
                    Arrays.stream(PGProperty.values()).map(PGProperty::getName).toList());
            throw new IllegalArgumentException("there is no parameter '" + name + "'" + near);
        }
        return name;
    }
}
