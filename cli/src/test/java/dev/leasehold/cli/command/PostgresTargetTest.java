package dev.leasehold.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leasehold.cli.Places;
import dev.leasehold.cli.config.PostgresUrl;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class PostgresTargetTest {
    @Test
    void a_unique_violation_does_not_name_the_value() throws SQLException {
        PostgresTarget target = PostgresTarget.at(PostgresUrl.ofOption("--url", Places.url(TestPostgres.newSchema())));
        try (Connection connection = target.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table ids (lock_id text primary key)");
            String insert = "insert into ids values ('s3cret-id')";
            statement.execute(insert);
            SQLException violation = catchThrowableOfType(SQLException.class, () -> statement.execute(insert));
            assertThat(violation.getMessage()).contains("ids_pkey").doesNotContain("s3cret");
        }
    }
}
