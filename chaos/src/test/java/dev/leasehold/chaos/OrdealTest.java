package dev.leasehold.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.fault.FaultKind;
import dev.leasehold.chaos.fault.FaultKind.Scope;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OrdealTest {
    private static final List<FaultKind> ALL = List.of(FaultKind.values());
    private static final int SEEDS = 500;

    @Test
    void every_fault_has_its_turn() {
        for (int seed = 0; seed < SEEDS; seed++) {
            assertThat(kinds(Ordeal.inPairs(ALL, new Random(seed)))).containsAll(ALL);
            assertThat(kinds(Ordeal.oneByOne(ALL, new Random(seed)))).containsExactlyInAnyOrderElementsOf(ALL);
        }
    }

    @Test
    void the_seed_decides_the_pairs() {
        assertThat(Ordeal.inPairs(ALL, new Random(7))).isEqualTo(Ordeal.inPairs(ALL, new Random(7)));
        assertThat(Ordeal.inPairs(ALL, new Random(7))).isNotEqualTo(Ordeal.inPairs(ALL, new Random(8)));
    }

    @Test
    void two_faults_of_the_server_are_never_held_at_once() {
        for (int seed = 0; seed < SEEDS; seed++) {
            assertThat(Ordeal.inPairs(ALL, new Random(seed)))
                    .allSatisfy(pair -> assertThat(pair.kinds())
                            .doesNotHaveDuplicates()
                            .hasSize(2)
                            .anyMatch(kind -> kind.scope() != Scope.SERVER));
        }
    }

    @Test
    void a_server_that_was_killed_starts_again_when_the_other_fault_is_over() {
        for (int seed = 0; seed < SEEDS; seed++) {
            assertThat(Ordeal.inPairs(ALL, new Random(seed)))
                    .noneMatch(pair -> pair.kinds().get(0) == FaultKind.KILL_SERVER);
        }
    }

    @Test
    void what_goes_with_nothing_comes_alone() {
        List<Ordeal> ordeals = Ordeal.inPairs(
                List.of(FaultKind.READ_ONLY, FaultKind.KILL_POSTGRES, FaultKind.DDL_LOCKS), new Random(1));
        assertThat(ordeals)
                .hasSize(3)
                .allSatisfy(alone -> assertThat(alone.kinds()).hasSize(1));
        assertThat(Ordeal.inPairs(List.of(), new Random(1))).isEmpty();
    }

    @Test
    void a_pair_is_named_by_both() {
        assertThat(new Ordeal(List.of(FaultKind.DELAY, FaultKind.FULL_LOCKS)).text())
                .isEqualTo("delay + full-locks");
    }

    private static List<FaultKind> kinds(List<Ordeal> ordeals) {
        return ordeals.stream().flatMap(ordeal -> ordeal.kinds().stream()).toList();
    }
}
