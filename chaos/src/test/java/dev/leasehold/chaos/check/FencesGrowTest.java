package dev.leasehold.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FencesGrowTest {
    private final Tale tale = new Tale();

    @Test
    void a_fence_that_goes_back_is_found() {
        tale.acquired("a", 5, 0, 10, 5).acquired("b", 6, 20, 30, 5).acquired("c", 4, 40, 50, 5);

        assertThat(tale.checkedBy(new FencesGrow())).singleElement().satisfies(violation -> {
            assertThat(violation.sentence()).contains("went back from 6 to 4");
            assertThat(violation.excerpt()).hasSize(4);
        });
    }

    @Test
    void a_fence_that_was_given_twice_is_found_even_if_the_calls_overlap() {
        tale.acquired("a", 5, 0, 10, 5).acquired("b", 5, 0, 10, 5);

        assertThat(tale.checkedBy(new FencesGrow()))
                .singleElement()
                .satisfies(
                        violation -> assertThat(violation.sentence()).isEqualTo("two grants of key 'k' have fence 5"));
    }

    @Test
    void a_grant_whose_fence_changes_is_found() {
        tale.acquired("a", 5, 0, 10, 5).acquired("a", 6, 20, 30, 5);

        assertThat(tale.checkedBy(new FencesGrow()))
                .singleElement()
                .satisfies(violation -> assertThat(violation.sentence()).contains("had fence 5 and then fence 6"));
    }

    @Test
    void fences_may_skip_and_those_of_overlapping_calls_may_come_in_any_order() {
        tale.acquired("a", 5, 0, 100, 5).acquired("b", 4, 10, 20, 5).acquired("c", 9, 200, 210, 5);
        tale.acquired("c", 9, 220, 230, 5);

        assertThat(tale.checkedBy(new FencesGrow())).isEmpty();
    }
}
