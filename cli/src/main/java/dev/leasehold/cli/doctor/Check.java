package dev.leasehold.cli.doctor;

import java.sql.SQLException;

/** One thing to look at in a database. Changes nothing. */
interface Check {
    String name();

    Verdict look(Database database) throws SQLException;
}
