package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.embedded.EmbeddedPostgres;
import dev.leasehold.testkit.process.ChildJvm;
import dev.leasehold.testkit.process.ChildJvm.Program;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the embedded database does when its process is killed; the rest of it is tested in its own module. */
@Tag("slow")
@Timeout(TestWaits.TEST_LIMIT)
class AdoptionTest {
    @Test
    void a_database_that_outlived_its_killed_process_is_adopted(@TempDir Path temporary) throws Exception {
        Path directory = OwnPostgres.dataDirectory(temporary.resolve("data of ours"));
        String started;
        try (ChildJvm owner = ChildJvm.start(Program.of(AdoptionMain.class, directory.toString()))) {
            started = owner.hear();
            owner.kill();
        }
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
            assertThat(AdoptionMain.ask(postgres, "select pg_postmaster_start_time()"))
                    .isEqualTo(started);
            assertThat(AdoptionMain.ask(postgres, "select id from kept")).isEqualTo("7");
        }
        assertThat(directory.resolve("database/data/postmaster.pid")).doesNotExist();
    }
}
