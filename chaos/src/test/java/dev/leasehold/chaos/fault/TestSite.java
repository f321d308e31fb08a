package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Site;
import dev.leasehold.testkit.OwnPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A site of its own, used as a client would: through the proxies. */
final class TestSite implements AutoCloseable {
    final Site site;

    private TestSite(Site site) {
        this.site = site;
    }

    static TestSite open(Path directory) throws IOException {
        OwnPostgres.dataDirectory(directory.resolve("postgres"));
        return new TestSite(Site.open(directory, 1));
    }

    interface Check {
        void run() throws Exception;
    }

    /** A fault always ends, or the other tests would meet it. */
    static void during(Fault fault, Check check) throws Exception {
        try {
            fault.begin();
            check.run();
        } finally {
            fault.end();
        }
    }

    /** A session of a client. */
    Connection connect() throws SQLException {
        return site.urls().firstSource().getConnection();
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    long number(String query) throws SQLException {
        return Long.parseLong(text(query));
    }

    String text(String query) throws SQLException {
        try (Connection connection = connect()) {
            return text(connection, query);
        }
    }

    static String text(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }

    @Override
    public void close() {
        site.close();
    }
}
