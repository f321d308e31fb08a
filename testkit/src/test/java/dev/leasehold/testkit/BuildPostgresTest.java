package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.process.ChildJvm;
import dev.leasehold.testkit.process.ChildJvm.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Timeout(TestWaits.TEST_LIMIT)
class BuildPostgresTest {
    @Test
    void the_jvms_of_a_build_share_a_server_that_ends_when_the_build_is_killed() {
        Program build = Program.of(BuildMain.class).environment(Map.of("LEASEHOLD_TEST_POSTGRES_URL", ""));
        Path cluster;
        try (ChildJvm maven = ChildJvm.start(build)) {
            List<String[]> answers = Stream.of(maven.hear(), maven.hear())
                    .map(line -> line.split(" ", -1))
                    .toList();
            assertThat(answers.get(0)[0]).isEqualTo(answers.get(1)[0]);
            assertThat(answers.get(0)[1]).startsWith("test_").isNotEqualTo(answers.get(1)[1]);
            cluster = Path.of(answers.get(0)[0]);
            assertThat(cluster).exists();
            maven.kill();
        }
        Path directory = cluster.resolve("../..").normalize();
        assertThat(directory.getFileName().toString()).startsWith("leasehold-build-");
        TestWaits.await().until(() -> Files.notExists(directory));
    }
}
