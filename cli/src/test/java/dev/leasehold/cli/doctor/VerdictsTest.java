package dev.leasehold.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.doctor.Verdict.Level;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictsTest {
    @ParameterizedTest
    @CsvSource({"13, FAIL", "14, OK", "18, OK", "19, WARN"})
    void versions_14_to_18_are_fine(int major, Level level) {
        assertThat(DatabaseChecks.version(major, major + ".1").level()).isEqualTo(level);
    }

    @Test
    void a_database_that_cannot_be_written_to_fails() {
        assertThat(DatabaseChecks.writable(true, false).level()).isEqualTo(Level.FAIL);
        assertThat(DatabaseChecks.writable(false, true).level()).isEqualTo(Level.FAIL);
        assertThat(DatabaseChecks.writable(false, false).level()).isEqualTo(Level.OK);
    }

    @ParameterizedTest
    @CsvSource({"fsync, FAIL", "full_page_writes, FAIL", "synchronous_commit, FAIL", "autovacuum, OK"})
    void what_keeps_acknowledged_things_must_not_be_off(String setting, Level level) {
        Verdict verdict = DatabaseChecks.durability(Map.of(setting, "off"));
        assertThat(verdict.level()).isEqualTo(level);
        assertThat(verdict.advice().contains(setting)).isEqualTo(level == Level.FAIL);
    }

    @Test
    void few_connections_left_are_a_warning() {
        assertThat(DatabaseChecks.connections(95, 97).level()).isEqualTo(Level.WARN);
        assertThat(DatabaseChecks.connections(5, 97).level()).isEqualTo(Level.OK);
    }
}
