package dev.leasehold.postgres.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who travels next, and with whom. */
class LinesTest {
    private final Letters releases = new Letters(1);
    private final Letters acquires = new Letters(2);
    private final Letters lookups = new Letters(0);
    private Lines lines = new Lines(100);

    /** Calls whose requests are letters, three of them in a group, and nobody after an exclamation mark. */
    private static final class Letters implements BatchedStatement<String, String> {
        private final int place;
        private Runnable beforeTheyGo = () -> {};

        private Letters(int place) {
            this.place = place;
        }

        @Override
        public int messageOrder() {
            return place;
        }

        @Override
        public int maxGroup() {
            return 3;
        }

        @Override
        public Predicate<String> admission() {
            beforeTheyGo.run();
            return letter -> !letter.equals("!");
        }

        @Override
        public Sql sql(List<PendingCall<String, String>> group) {
            return Sql.load("lock/transaction_began", Map.of());
        }

        @Override
        public Map<String, @Nullable Object> values(List<PendingCall<String, String>> group) {
            return Map.of();
        }

        @Override
        public void answer(
                ResultSet rows, List<PendingCall<String, String>> group, List<PendingCall<String, String>> busy) {}
    }

    private PendingCall<String, String> add(Letters kind, String letter) {
        PendingCall<String, String> call = new PendingCall<>(kind, letter);
        lines.add(call);
        return call;
    }

    private void addTogether(Letters kind, String letter, Letters otherKind, String otherLetter) {
        add(kind, letter).accompany();
        add(otherKind, otherLetter).accompany();
    }

    /** The letters of the next message, group by group. */
    private List<String> next() {
        List<String> groups = new ArrayList<>();
        for (Group<?, ?> group : lines.next()) {
            StringBuilder letters = new StringBuilder();
            group.calls().forEach(call -> letters.append(call.request()));
            groups.add(letters.toString());
        }
        return groups;
    }

    @Test
    void who_has_waited_longest_goes_first_with_all_of_its_kind() {
        add(acquires, "a");
        add(releases, "r");
        add(acquires, "b");
        assertThat(next()).containsExactly("ab");
        assertThat(next()).containsExactly("r");
        assertThat(next()).isEmpty();
        assertThat(lines.isEmpty()).isTrue();
    }

    @Test
    void the_largest_group_goes_first_so_that_stragglers_find_company() {
        add(releases, "r");
        add(acquires, "a");
        add(acquires, "b");
        assertThat(next()).containsExactly("ab");
        add(releases, "s");
        add(acquires, "c");
        assertThat(next()).containsExactly("rs");
        assertThat(next()).containsExactly("c");
    }

    @Test
    void who_has_waited_longest_is_passed_over_twice_and_no_more() {
        add(lookups, "l");
        add(releases, "r");
        "abcdefgh".chars().forEach(letter -> add(acquires, Character.toString(letter)));
        assertThat(next()).containsExactly("abc");
        assertThat(next()).containsExactly("def");
        assertThat(next()).containsExactly("l");
        assertThat(next()).containsExactly("gh");
        assertThat(next()).containsExactly("r");
    }

    @Test
    void a_long_line_of_small_groups_passes_nobody_over() {
        add(releases, "r");
        add(releases, "s");
        add(releases, "t");
        "abcdef".chars().forEach(letter -> add(acquires, Character.toString(letter)));
        assertThat(next()).containsExactly("rst");
    }

    @Test
    void those_who_were_sent_together_share_a_message_in_the_order_of_their_kinds() {
        add(acquires, "a");
        addTogether(acquires, "b", releases, "r");
        add(releases, "s");
        add(lookups, "l");
        assertThat(next()).containsExactly("rs", "ab");
        assertThat(next()).containsExactly("l");
    }

    @Test
    void who_shares_no_message_takes_nobody_along() {
        addTogether(lookups, "l", releases, "r");
        assertThat(next()).containsExactly("l");
        assertThat(next()).containsExactly("r");
    }

    @Test
    void without_groups_everybody_travels_alone() {
        lines = new Lines(1);
        addTogether(releases, "r", acquires, "a");
        add(releases, "s");
        assertThat(List.of(next(), next(), next())).containsOnly(List.of("r"), List.of("s"), List.of("a"));
    }

    @Test
    void a_group_ends_where_its_kind_says() {
        "abcd!e".chars().forEach(letter -> add(acquires, Character.toString(letter)));
        assertThat(next()).containsExactly("abc");
        assertThat(next()).containsExactly("d");
        assertThat(next()).containsExactly("!e");
    }

    @Test
    void who_was_called_off_does_not_travel() {
        PendingCall<String, String> first = add(acquires, "a");
        add(acquires, "b");
        PendingCall<String, String> only = add(releases, "r");
        first.result().cancel(false);
        only.result().cancel(false);
        assertThat(next()).containsExactly("b");
        assertThat(next()).isEmpty();
    }

    @Test
    void when_all_of_a_kind_are_called_off_at_the_last_moment_the_next_kind_goes() {
        PendingCall<String, String> first = add(acquires, "a");
        add(releases, "r");
        acquires.beforeTheyGo = () -> first.result().cancel(false);
        assertThat(next()).containsExactly("r");
        assertThat(next()).isEmpty();
    }
}
