package dev.leasehold.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresUrlTest {
    private static PostgresUrl parse(String text) {
        return PostgresUrl.parse(new ConfigValue("postgres-url", text, ConfigValue.option("--postgres-url")));
    }

    @Test
    void all_parts_are_read_and_percent_decoded() {
        assertThat(
                        parse(
                                "postgres://an%40n:p%3A%2F%25+w@db.example.com:6432/my%20db?sslmode=require&application_name=x%26y"))
                .isEqualTo(new PostgresUrl(
                        "db.example.com:6432/my db",
                        "an@n",
                        "p:/%+w",
                        Map.of("sslmode", "require", "ApplicationName", "x&y")));
    }

    @Test
    void what_is_left_out_has_the_usual_default() {
        assertThat(parse("postgresql://ann@/")).isEqualTo(new PostgresUrl("localhost:5432/ann", "ann", null, Map.of()));
        assertThat(parse("postgres://db")).isEqualTo(new PostgresUrl("db:5432/", null, null, Map.of()));
        assertThat(parse("postgres://db/app?user=ann&password=p"))
                .isEqualTo(new PostgresUrl("db:5432/app", "ann", "p", Map.of()));
    }

    @Test
    void ipv6_and_several_hosts_are_understood() {
        assertThat(parse("postgres://ann@[::1]:5433/app").jdbcUrl()).isEqualTo("jdbc:postgresql://[::1]:5433/app");
        assertThat(parse("postgres://a:1,b,[::2]/app?target_session_attrs=read-write"))
                .isEqualTo(new PostgresUrl(
                        "a:1,b:5432,[::2]:5432/app", null, null, Map.of("targetServerType", "primary")));
    }

    @Test
    void a_jdbc_url_gives_its_secrets_up_to_us() {
        assertThat(parse("jdbc:postgresql://db:5433/app?user=ann&password=p%26q&ssl=true"))
                .isEqualTo(new PostgresUrl("db:5433/app", "ann", "p&q", Map.of("ssl", "true")));
        assertThat(parse("jdbc:postgresql://a,b:2/app?user=ann").place()).isEqualTo("a:5432,b:2/app");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mysql://ann:hunter2@db/app",
                "jdbc:mysql://ann:hunter2@db/app",
                "jdbc:postgresql://db:port/app?password=hunter2",
                "postgres://ann:hunter2@db:port/app",
                "postgres://ann:hunter2@db:99999/app",
                "postgres://ann:hunter2%@db/app",
                "postgres://ann:hunter2#x@db/app",
                "postgres://ann:hunter2@db/app?nonsense",
                "postgres://ann:hunter2@%2Fvar%2Frun/app",
                "host=db password=hunter2"
            })
    void what_is_wrong_is_refused_without_repeating_it(String text) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("postgres-url (option --postgres-url) must look like"
                        + " postgres://user:password@host:5432/database or jdbc:postgresql://host:5432/database: ")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void a_parameter_that_the_driver_would_ignore_is_refused() {
        assertThatThrownBy(() -> parse("postgres://db/app?sslmod=require"))
                .hasMessageEndingWith(": there is no parameter 'sslmod'; did you mean 'sslmode'?");
    }

    @Test
    void it_can_be_shown_without_its_secrets() {
        PostgresUrl url = parse("postgres://ann:hunter2@db/app?sslpassword=hunter2");
        assertThat(url.display()).isEqualTo("postgres://ann:***@db:5432/app?sslpassword=***");
        assertThat(url).hasToString(url.display());
    }
}
