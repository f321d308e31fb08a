package dev.leasehold.postgres.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URISyntaxException;
import java.net.URL;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The versioned .sql files say the truth about themselves. */
class SchemaMigrationTest {
    static Stream<String> files() throws URISyntaxException {
        URL folder = Objects.requireNonNull(SchemaMigration.class.getResource("/dev/leasehold/postgres/migrations"));
        return Stream.of(Objects.requireNonNull(new File(folder.toURI()).list()))
                .map(name -> name.replaceFirst("\\.sql$", ""));
    }

    /** A file that was released is never changed: add another one. */
    @ParameterizedTest
    @MethodSource("files")
    void a_file_has_its_own_version_and_checksum(String file) {
        SchemaMigration migration = SchemaMigration.read(file, Map.of());
        String description = file.replaceFirst("V\\d+__", "").replace('_', ' ');
        assertThat(migration.text())
                .startsWith("--liquibase formatted sql\n--changeset leasehold:" + migration.version() + " ");
        assertThat(migration.record())
                .contains(", " + migration.version() + ", '" + description + "', '" + SchemaMigration.checksum(file)
                        + "', ");
    }

    @Test
    void the_newest_version_is_the_number_of_files() throws URISyntaxException {
        assertThat(files()).hasSize(SchemaMigration.NEWEST);
        assertThat(files()).anyMatch(file -> file.startsWith("V" + SchemaMigration.NEWEST + "__"));
    }
}
