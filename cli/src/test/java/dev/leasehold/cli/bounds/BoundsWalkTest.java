package dev.leasehold.cli.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Walks the table of bounds in docs/security.md: for each row, one request beyond the bound to a server on a port gets what the row
 * promises, and a normal call succeeds right after. A new row needs a new case.
 */
@Tag("slow")
@Timeout(300)
class BoundsWalkTest {
    /** What shows that a row is true. */
    interface Case {
        void walk(Row row) throws Exception;
    }

    private static final Map<String, Case> CASES = cases();

    private static UnreadAnswer unread;

    @BeforeAll
    static void begin() throws IOException {
        unread = new UnreadAnswer();
    }

    @AfterAll
    static void end() throws IOException {
        unread.close();
    }

    private static Map<String, Case> cases() {
        Map<String, Case> cases = new HashMap<>();
        Stream.of(ConnectionBounds.CASES, BodyBounds.CASES, BatchBounds.CASES, PageBounds.CASES)
                .forEach(cases::putAll);
        cases.put("time to take an answer", row -> unread.walk(row));
        return cases;
    }

    @Test
    void every_row_has_a_case_and_every_case_a_row() throws IOException {
        List<String> rows = Row.all().stream().map(Row::what).toList();
        assertThat(CASES.keySet()).containsExactlyInAnyOrderElementsOf(rows);
    }

    @TestFactory
    Stream<DynamicTest> beyond_its_bound_a_caller_gets_what_the_row_promises() throws IOException {
        return Row.all().stream()
                .filter(row -> CASES.containsKey(row.what()))
                .map(row -> DynamicTest.dynamicTest(
                        row.what(),
                        () -> Objects.requireNonNull(CASES.get(row.what())).walk(row)));
    }
}
