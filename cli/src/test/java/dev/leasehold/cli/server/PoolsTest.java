package dev.leasehold.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.cli.Places;
import dev.leasehold.cli.config.PostgresUrl;
import dev.leasehold.cli.config.Storage.Store;
import dev.leasehold.server.observe.Metrics;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class PoolsTest {
    @Test
    void a_unique_violation_does_not_name_the_value() throws SQLException {
        PostgresUrl url = PostgresUrl.ofOption(
                "--url", Places.url(TestPostgres.newSchema()) + "&logServerErrorDetail=true"); // does not help
        try (Metrics metrics = new Metrics();
                HikariDataSource pool = Pools.open(new Store("postgres", 1, url, 8), metrics);
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table ids (lock_id text primary key)");
            try (PreparedStatement insert = connection.prepareStatement("insert into ids values (?)")) {
                insert.setString(1, "s3cret-id");
                insert.execute();
                SQLException violation = catchThrowableOfType(SQLException.class, insert::execute);
                assertThat(violation.getSQLState()).isEqualTo("23505");
                assertThat(violation.getMessage()).contains("ids_pkey").doesNotContain("s3cret");
            }
        }
    }
}
