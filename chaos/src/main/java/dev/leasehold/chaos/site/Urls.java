package dev.leasehold.chaos.site;

import dev.leasehold.testkit.process.HarnessException;
import java.util.Map;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * How to reach the two stores.
 *
 * @param first the JDBC address of the first store
 * @param second the JDBC address of the second
 */
public record Urls(String first, String second, String user, String password) {
    private static final String PREFIX = "LEASEHOLD_CHAOS_";

    static String jdbc(String database, int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?sslmode=disable&gssEncMode=disable";
    }

    static PGSimpleDataSource dataSource(String database, int port, String user, String password) {
        return dataSource(jdbc(database, port), user, password);
    }

    private static PGSimpleDataSource dataSource(String url, String user, String password) {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setURL(url);
        dataSource.setUser(user);
        dataSource.setPassword(password);
        dataSource.setConnectTimeout(5);
        return dataSource;
    }

    /** A data source without a pool for the first store. */
    public PGSimpleDataSource firstSource() {
        return dataSource(first, user, password);
    }

    /** A data source without a pool for the second store. */
    public PGSimpleDataSource secondSource() {
        return dataSource(second, user, password);
    }

    /** As variables for a JVM that is to be started: passwords are no arguments. */
    public Map<String, String> environment() {
        return Map.of(
                PREFIX + "FIRST", first,
                PREFIX + "SECOND", second,
                PREFIX + "USER", user,
                PREFIX + "PASSWORD", password);
    }

    /** From the variables of this JVM. */
    public static Urls fromEnvironment() {
        return new Urls(variable("FIRST"), variable("SECOND"), variable("USER"), variable("PASSWORD"));
    }

    private static String variable(String name) {
        String value = System.getenv(PREFIX + name);
        if (value == null) {
            throw new HarnessException(
                    "the variable " + PREFIX + name + " is missing: this main is started by the harness");
        }
        return value;
    }
}
