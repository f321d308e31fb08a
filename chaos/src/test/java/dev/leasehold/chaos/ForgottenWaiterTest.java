package dev.leasehold.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.Plan.Access;
import dev.leasehold.chaos.check.Violation;
import dev.leasehold.chaos.site.Site;
import dev.leasehold.chaos.workload.Workload;
import dev.leasehold.testkit.OwnPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole run finds waiters that are never served: an engine is broken so that a release is acknowledged, and its key stays locked. */
@Tag("long")
@Timeout(600)
class ForgottenWaiterTest {
    private static final Duration SOON = Duration.ofSeconds(3);

    /** A row that is deleted while somebody waits for it comes back under another lock id, and lasts. */
    private static final List<String> BREAKAGE = List.of(
            "create function keep_locked() returns trigger language plpgsql as $$ begin"
                    + " if not exists (select from syncguard_locks_waiters where key = old.key) then return null; end if;"
                    + " old.lock_id := 'kept' || md5(random()::text); old.expires_at_ms := old.expires_at_ms + 3600000;"
                    + " insert into syncguard_locks select old.*; return null; end $$",
            "create trigger keep_locked after delete on syncguard_locks for each row"
                    + " when (old.user_key like '%patient') execute function keep_locked()");

    @Test
    void a_run_finds_that_nobody_is_served_after_a_release(@TempDir Path directory) throws IOException {
        OwnPostgres.dataDirectory(directory.resolve("site/postgres"));
        try (Site site = Site.open(directory.resolve("site"), 1)) {
            site.database().executeIn(Site.FIRST, BREAKAGE.toArray(String[]::new));
            Path place = Files.createDirectory(directory.resolve("round"));

            Report report = new Round(site, plan(), place, line -> {}).run();

            assertThat(report.violations())
                    .extracting(Violation::invariant)
                    .contains("ServedInTime")
                    .isSubsetOf("ServedInTime", "NoOrphan"); // nobody has the key, and it is locked
        }
    }

    private static Plan plan() {
        return new Plan(
                Set.of(Workload.LOCKS),
                Access.LIBRARY,
                List.of(),
                false,
                1,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                0,
                SOON);
    }
}
