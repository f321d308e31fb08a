package dev.leasehold.testkit;

import dev.leasehold.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;

/** Starts an embedded database, commits a row, prints when the database was started, and then does nothing until it is killed. */
final class AdoptionMain {
    private AdoptionMain() {}

    public static void main(String[] args) throws Exception {
        EmbeddedPostgres postgres = EmbeddedPostgres.start(Path.of(args[0]), 0);
        execute(postgres, "create table kept (id int)");
        execute(postgres, "insert into kept values (7)");
        System.out.println(ask(postgres, "select pg_postmaster_start_time()"));
        while (System.in.read() >= 0) {
            // stays
        }
    }

    private static void execute(EmbeddedPostgres postgres, String sql) throws Exception {
        try (Connection connection = connect(postgres);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static String ask(EmbeddedPostgres postgres, String query) throws Exception {
        try (Connection connection = connect(postgres);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    private static Connection connect(EmbeddedPostgres postgres) throws Exception {
        return DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
    }
}
