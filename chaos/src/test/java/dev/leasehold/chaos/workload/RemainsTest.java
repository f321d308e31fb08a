package dev.leasehold.chaos.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.check.Violation;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is left behind by hand is found. */
class RemainsTest {
    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private final DataSource first = TestPostgres.newSchema();
    private final DataSource second = TestPostgres.newSchema();
    private PostgresQueues queues;

    @BeforeEach
    void open() {
        QueueSchema.create(first);
        QueueSchema.create(second);
        queues = PostgresQueues.builder()
                .store("first", 1, first)
                .store("second", 1, second)
                .build();
        queues.create(QueueConfig.named("work").partitions(2));
        for (int i = 0; i < 4; i++) {
            queues.queue("work").produce(NewItem.of("item"));
        }
    }

    @AfterEach
    void close() {
        queues.close();
    }

    private List<String> found() {
        Remains remains = new Remains(query -> ask(first, query), Map.of("second", query -> ask(second, query)));
        return remains.check(AT_ONCE).stream().map(Violation::sentence).toList();
    }

    private static List<String> ask(DataSource dataSource, String query) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<String> answers = new ArrayList<>();
            while (rows.next()) {
                answers.add(String.valueOf(rows.getString(1)));
            }
            return answers;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void execute(DataSource dataSource, String sql) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_queue_that_is_there_and_one_that_was_deleted_leave_nothing() {
        assertThat(found()).isEmpty();
        queues.delete("work");
        assertThat(found()).isEmpty();
    }

    @Test
    void tables_without_a_record_are_found() {
        queues.close();
        execute(first, "delete from queues");
        execute(second, "delete from queues");
        assertThat(found())
                .singleElement()
                .satisfies(sentence -> assertThat(sentence)
                        .startsWith("of deleted queues are left: [table items_")
                        .contains(" in second"));
    }

    @Test
    void a_table_beyond_the_last_partition_is_found() {
        queues.close();
        execute(first, "update queues set partition_stores = '{}'");
        assertThat(found())
                .singleElement()
                .satisfies(sentence -> assertThat(sentence).startsWith("of deleted queues are left: [table items_"));
    }

    @Test
    void a_copy_without_its_record_is_found() {
        queues.close();
        execute(first, "delete from queues");
        assertThat(found())
                .singleElement()
                .satisfies(sentence ->
                        assertThat(sentence).contains("record work ").contains(" in second"));
    }

    @Test
    void a_delete_that_nobody_finishes_is_found() {
        queues.close();
        execute(first, "update queues set deleted = true");
        assertThat(found())
                .singleElement()
                .satisfies(sentence -> assertThat(sentence).contains("deleted queue work in first"));
    }
}
