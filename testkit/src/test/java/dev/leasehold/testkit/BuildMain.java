package dev.leasehold.testkit;

import dev.leasehold.testkit.process.ChildJvm;
import dev.leasehold.testkit.process.ChildJvm.Program;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A build with two test JVMs, or one of these if there is an argument: each prints the directory of its server and its database. */
final class BuildMain {
    private BuildMain() {}

    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            build();
        } else {
            test();
        }
        while (System.in.read() >= 0) {
            // stays
        }
    }

    private static void build() {
        Program test = Program.of(BuildMain.class, "test");
        ChildJvm first = ChildJvm.start(test);
        ChildJvm second = ChildJvm.start(test);
        System.out.println(first.hear());
        System.out.println(second.hear());
    }

    private static void test() throws SQLException, IOException {
        try (Connection connection = TestPostgres.newSchema().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select current_setting('data_directory') || ' ' || current_database()")) {
            row.next();
            System.out.println(row.getString(1));
        }
    }
}
