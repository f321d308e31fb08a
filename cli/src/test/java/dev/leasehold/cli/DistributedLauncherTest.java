package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code bin/leasehold} of the tarball, with a JVM that only tells how it was called. */
class DistributedLauncherTest {
    private static final String ARCHIVE = "-XX:SharedArchiveFile=";

    @TempDir
    Path home;

    @BeforeEach
    void installed() throws IOException {
        Files.createDirectories(home.resolve("bin"));
        Files.copy(Path.of("..", "dist", "src", "bin", "leasehold"), home.resolve("bin/leasehold"));
        Files.createDirectories(home.resolve("conf"));
        Files.writeString(home.resolve("conf/leasehold.yaml"), "");
        Files.createDirectories(home.resolve("lib"));
        Files.writeString(home.resolve("lib/b.jar"), "");
        Files.writeString(home.resolve("lib/a.jar"), "");
        java("exit 1");
    }

    /** A JVM that tells its arguments, unless it is asked for an archive: then it does this. */
    private void java(String toArchive) throws IOException {
        Path java = Files.createDirectories(home.resolve("jre/bin")).resolve("java");
        Files.writeString(java, """
                #!/bin/sh
                case "$1" in -XX:ArchiveClassesAtExit=*) %s ;; esac
                printf '%%s\\n' "config=${LEASEHOLD_CONFIG:-}" "$@"
                """.formatted(toArchive));
        assertThat(java.toFile().setExecutable(true)).isTrue();
    }

    private List<String> jvmOf(Map<String, String> environment, String... words) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("sh", home.resolve("bin/leasehold").toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("LEASEHOLD") || name.startsWith("QUERATOR"));
        builder.environment().put("JAVA_HOME", home.resolve("jre").toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines().toList();
    }

    private List<Path> archives() throws IOException {
        try (Stream<Path> files = Files.list(home.resolve("cache"))) {
            return files.toList();
        }
    }

    @Test
    void a_server_reads_the_configuration_of_the_installation_and_ends_without_memory() throws Exception {
        assertThat(jvmOf(Map.of("LEASEHOLD_JAVA_OPTS", "-Xmx1g"), "server", "--store=memory"))
                .contains(
                        "config=" + home.toRealPath().resolve("conf/leasehold.yaml"),
                        "-XX:+ExitOnOutOfMemoryError",
                        "-Xmx1g",
                        "dev.leasehold.cli.Main",
                        "server",
                        "--store=memory");
    }

    @Test
    void a_configuration_that_is_named_is_not_overridden() throws Exception {
        assertThat(jvmOf(Map.of("LEASEHOLD_CONFIG", "/etc/other.yaml"), "server"))
                .contains("config=/etc/other.yaml");
        assertThat(jvmOf(Map.of("QUERATOR_CONFIG", "/etc/other.yaml"), "server"))
                .contains("config=");
    }

    @Test
    void other_commands_have_no_configuration() throws Exception {
        assertThat(jvmOf(Map.of(), "lock", "list"))
                .contains("config=", "list")
                .doesNotContain("-XX:+ExitOnOutOfMemoryError");
    }

    @Test
    void the_class_path_has_all_jars_in_a_fixed_order() throws Exception {
        Path lib = home.toRealPath().resolve("lib");
        assertThat(jvmOf(Map.of(), "version")).contains(lib.resolve("a.jar") + ":" + lib.resolve("b.jar"));
    }

    @Test
    void without_a_cache_it_starts_without_an_archive() throws Exception {
        assertThat(jvmOf(Map.of(), "version"))
                .noneMatch(word -> word.startsWith(ARCHIVE))
                .noneMatch(line -> line.startsWith("leasehold:"));
    }

    @Test
    void an_archive_is_written_once_and_used() throws Exception {
        Files.createDirectories(home.resolve("cache"));
        java("echo classes > \"${1#*=}\"; exit 0");
        assertThat(jvmOf(Map.of(), "version")).anyMatch(line -> line.startsWith("leasehold: first start"));
        assertThat(archives()).hasSize(1);
        assertThat(jvmOf(Map.of(), "version"))
                .anyMatch(word -> word.startsWith(ARCHIVE))
                .noneMatch(line -> line.startsWith("leasehold:"));
    }

    @Test
    void a_jvm_that_cannot_write_archives_is_asked_once() throws Exception {
        Files.createDirectories(home.resolve("cache"));
        jvmOf(Map.of(), "version");
        assertThat(archives())
                .singleElement()
                .satisfies(file -> assertThat(file).isEmptyFile());
        assertThat(jvmOf(Map.of(), "version"))
                .noneMatch(word -> word.startsWith(ARCHIVE))
                .noneMatch(line -> line.startsWith("leasehold:"));
    }
}
