package dev.leasehold.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.Plan.Access;
import dev.leasehold.chaos.fault.FaultKind;
import dev.leasehold.chaos.fault.FaultKind.Promise;
import dev.leasehold.chaos.site.Site;
import dev.leasehold.chaos.workload.Workload;
import dev.leasehold.testkit.OwnPostgres;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** All workloads at once, through the library and over HTTP on the same keys, with a few faults in every build and all in the long one. */
@Tag("slow")
@Timeout(1200)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ResourceLock("most of the machine") // one class at a time that loads the machine with processes and connections
class ChaosTest {
    /** Longer than any lease of the workloads. */
    private static final Duration HOLD = Duration.ofMillis(2500);

    /** Builds run on small and busy machines; the command asks for four fifths of the rate within five seconds. */
    private static final Duration RECOVERY = Duration.ofSeconds(60);

    private static final double AT_ANY_RATE = 0;

    private static final long SEED = 2026;

    private Path directory;
    private Site site;

    @BeforeAll
    void open(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path given) throws IOException {
        directory = given;
        OwnPostgres.dataDirectory(directory.resolve("site/postgres"));
        site = Site.open(directory.resolve("site"), SEED);
    }

    @AfterAll
    void close() {
        site.close();
    }

    @Test
    void kills_and_lost_replies_lose_nothing_and_leave_no_lock_with_two_holders() throws IOException {
        Report report =
                assertNothingIsFound(List.of(FaultKind.KILL_CLIENT, FaultKind.KILL_POSTGRES, FaultKind.LOSE_REPLIES));
        assertThat(leaseStarts(report)).isGreaterThan(20); // some hundreds on an idle machine
    }

    @Test
    @Tag("long")
    void whatever_goes_wrong_nothing_is_lost_and_no_lock_has_two_holders() throws IOException {
        assertNothingIsFound(Arrays.stream(FaultKind.values())
                .filter(kind -> kind.promise() == Promise.ALL && !kind.needsPackage())
                .filter(kind -> kind.missing().isEmpty())
                .toList());
    }

    private Report assertNothingIsFound(List<FaultKind> faults) throws IOException {
        Set<Workload> workloads = EnumSet.complementOf(EnumSet.of(Workload.UNGUARDED_SET));

        Report report = run(new Plan(
                workloads,
                Access.MIXED,
                faults,
                false,
                SEED,
                Duration.ZERO,
                HOLD,
                RECOVERY,
                AT_ANY_RATE,
                Duration.ZERO));

        assertThat(report.isGood()).as(String.join("\n", report.lines())).isTrue();
        assertThat(report.calls()).isGreaterThan(100);
        return report;
    }

    /** How often the place moved where leases of a partition begin, in the clients that use the library. */
    private static long leaseStarts(Report report) throws IOException {
        long moves = 0;
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(report.directory(), "*client*.log")) {
            for (Path log : logs) {
                moves += Files.readAllLines(log).stream()
                        .filter(line -> line.contains("event=lease_start_moved"))
                        .count();
            }
        }
        return moves;
    }

    @Test
    @Tag("long")
    void without_a_guard_updates_are_lost() throws IOException {
        Plan plan = new Plan(
                Set.of(Workload.UNGUARDED_SET),
                Access.LIBRARY,
                List.of(),
                false,
                SEED + 1,
                Duration.ofSeconds(8),
                HOLD,
                RECOVERY,
                AT_ANY_RATE,
                Duration.ZERO);

        Report report = run(plan);

        assertThat(report.isGood()).as(String.join("\n", report.lines())).isTrue();
        assertThat(report.losses().lost()).isPositive();
    }

    private Report run(Plan plan) throws IOException {
        Path place = Files.createDirectory(
                directory.resolve("round-" + plan.seed() + "-" + plan.faults().size()));
        return new Round(site, plan, place, line -> {}).run();
    }
}
