package dev.leasehold.postgres.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is replaced in a .sql file, and what is not. */
class SqlFileTest {
    private static final Map<String, String> NAMES = Map.of("table", "\"some_table\"", "piece", "internal/piece");

    @Test
    void includes_and_placeholders_are_replaced_and_comments_left_out() {
        assertThat(SqlFile.withoutComments("internal/whole", NAMES)).isEqualTo("""
                select :first::text, ':', a[1:2]
                from "some_table"
                where
                a = :first
                and b = :second;""");
    }

    @Test
    void parameters_are_numbered_in_their_order_and_casts_are_none() {
        Sql sql = Sql.load("internal/whole", NAMES);
        assertThat(sql.parameters()).containsExactly("first", "first", "second");
        assertThat(sql.rowSets()).isEqualTo(1);
        assertThat(Sql.message(List.of(sql), ""))
                .startsWith("select ?::text, ':', a[1:2]\n")
                .endsWith("and b = ?");
    }

    @Test
    void an_unknown_placeholder_is_told_when_the_file_is_read() {
        assertThatThrownBy(() -> Sql.load("internal/whole", Map.of("piece", "internal/piece")))
                .hasMessage("internal/whole.sql has an unknown placeholder: ${table}");
    }

    @Test
    void a_missing_file_is_told_by_its_name() {
        assertThatThrownBy(() -> Sql.load("internal/whole", Map.of("table", "t", "piece", "internal/none")))
                .hasMessage("the jar is incomplete: internal/none.sql is missing");
    }
}
