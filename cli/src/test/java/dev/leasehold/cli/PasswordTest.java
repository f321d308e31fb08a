package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.process.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** A password that is in no command and no URL. The environment is that of a process, so each command is one. */
@Tag("slow")
class PasswordTest {
    private final PGSimpleDataSource schema = TestPostgres.newSchema();
    private final String url = schema.getURL() + "&user=" + schema.getUser();

    @TempDir
    Path directory;

    @Test
    void every_command_takes_it_from_the_environment() {
        Map<String, String> environment = Map.of("PGPASSWORD", String.valueOf(schema.getPassword()));
        for (List<String> words :
                List.of(List.of("migrate"), List.of("doctor"), List.of("lock", "list"), List.of("queue", "list"))) {
            assertWorks(environment, words);
        }
    }

    @Test
    void it_may_be_in_the_password_file_of_psql() throws Exception {
        assertWorks(Map.of("PGPASSFILE", passwordFile()), List.of("migrate"));
    }

    @Test
    void the_server_takes_it_from_there_too() throws Exception {
        try (ServerProcess server = CommandProcess.server(
                        Map.of("PGPASSFILE", passwordFile()),
                        "server",
                        "--address=127.0.0.1:0",
                        "--postgres-url=" + url)
                .ready()) {
            assertThat(server.send("/health", "")).startsWith("200 ");
        }
    }

    private String passwordFile() throws Exception {
        Path file = Files.writeString(
                directory.resolve("pgpass"), "*:*:*:" + schema.getUser() + ":" + schema.getPassword() + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file.toString();
    }

    private void assertWorks(Map<String, String> environment, List<String> words) {
        try (ServerProcess command = CommandProcess.server(environment, Typed.at(url, words.toArray(String[]::new)))) {
            assertThat(command.end()).as(command.output()).isZero();
        }
    }
}
