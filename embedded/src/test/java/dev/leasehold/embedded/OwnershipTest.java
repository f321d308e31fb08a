package dev.leasehold.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In the data directory lies a program, and the tests look whether it was run. */
class OwnershipTest {
    private static final int ROOT = 0;
    private static final int NOBODY = 65534;

    @TempDir
    Path temporary;

    private Path directory;
    private Path programs;
    private Path wasRun;

    @BeforeEach
    void planted() throws IOException {
        directory = Files.createDirectory(temporary.resolve("data"));
        mode(directory, "rwxr-xr-x");
        programs = Files.createDirectory(directory.resolve("postgresql-" + EmbeddedPostgres.version()));
        wasRun = temporary.resolve("was-run");
        Path program = Files.createDirectory(programs.resolve("bin")).resolve("initdb");
        Files.writeString(program, "#!/bin/sh\n: > '" + wasRun + "'\nexit 1\n");
        mode(program, "rwxr-xr-x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwxr-x", "rwxr-xrwx", "rwxrwxrwx"})
    void a_data_directory_that_others_may_write_is_refused(String mode) throws IOException {
        mode(directory, mode);
        assertRefused("'" + directory.toRealPath() + "' is not used: users other than its owner may write to it");
        assertThat(directory.resolve("lock")).doesNotExist();
    }

    @Test
    void programs_that_others_may_write_are_refused() throws IOException {
        mode(programs.resolve("bin"), "rwxrwxr-x");
        assertRefused("bin' is not used: users other than its owner may write to it");
    }

    @Test
    void programs_that_others_may_write_but_not_reach_are_used() throws IOException {
        mode(programs.resolve("bin"), "rwxrwxr-x");
        mode(directory, "rwx------");
        assertThatCode(() -> Ownership.check(directory, List.of(programs, programs.resolve("bin"))))
                .doesNotThrowAnyException();
    }

    @Test
    void a_data_directory_of_somebody_else_is_refused() throws IOException {
        if (isRoot()) {
            Files.setAttribute(directory, "unix:uid", NOBODY);
            assertRefused("belongs to the user " + NOBODY + ", and this process runs as 0");
        } else {
            directory = Path.of("/usr"); // root's
            assertRefused("belongs to the user 0, and this process runs as ");
        }
    }

    @Test
    void programs_of_somebody_else_are_refused() throws IOException {
        if (isRoot()) {
            Files.setAttribute(programs, "unix:uid", NOBODY);
            assertRefused("belongs to the user " + NOBODY);
        }
    }

    private void assertRefused(String why) {
        assertThatThrownBy(() -> EmbeddedPostgres.start(directory, 0))
                .isInstanceOf(EmbeddedException.class)
                .hasMessageContaining(why);
        assertThat(wasRun).doesNotExist();
    }

    private static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(ROOT);
    }

    private static void mode(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }
}
