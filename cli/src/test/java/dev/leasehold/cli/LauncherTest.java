package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code leasehold}, with a JVM that only tells how it was called. */
class LauncherTest {
    @TempDir
    Path home;

    @BeforeEach
    void built() throws IOException {
        Files.copy(Path.of("..", "leasehold"), home.resolve("leasehold"));
        Files.writeString(home.resolve("pom.xml"), "");
        Files.createDirectories(home.resolve("cli/src/main"));
        Files.writeString(home.resolve("cli/pom.xml"), "");
        Files.createDirectories(home.resolve("cli/target"));
        Files.writeString(home.resolve("cli/target/leasehold.jar"), "");
        Files.writeString(home.resolve("cli/target/leasehold.built"), "");
        Path java = Files.createDirectories(home.resolve("jdk/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
    }

    private List<String> jvmOf(String... words) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("bash", home.resolve("leasehold").toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", home.resolve("jdk").toString());
        builder.environment().put("LEASEHOLD_JAVA_OPTS", "-Xmx1g");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines().toList();
    }

    @Test
    void a_server_without_memory_ends() throws Exception {
        assertThat(jvmOf("server", "--store=memory"))
                .contains("-XX:+ExitOnOutOfMemoryError", "-Xmx1g", "dev.leasehold.cli.Main", "server");
    }

    @Test
    void other_commands_are_started_as_they_are() throws Exception {
        assertThat(jvmOf("lock", "list")).contains("-Xmx1g", "list").doesNotContain("-XX:+ExitOnOutOfMemoryError");
    }
}
