package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.testkit.queue.QueueHistory.Span;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker says yes to what a queue can do, and no to what it cannot. Times are in seconds, leases last a minute. */
class QueueHistoryTest {
    private final QueueHistory history = new QueueHistory(Duration.ofMinutes(1));

    private static Span from(long invoked, long returned) {
        return new Span(invoked * 1_000_000_000, returned * 1_000_000_000);
    }

    /** An item of a lease; each of its leases has an id of its own. */
    private static LeasedItem item(String text, int attempts) {
        return item(text, attempts, text.hashCode() * 10L + attempts);
    }

    private static LeasedItem item(String text, int attempts, long id) {
        ItemId itemId = new ItemId(String.format("%027d", id));
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        return new LeasedItem(itemId, 0, attempts, Instant.EPOCH, "", "", "", payload);
    }

    private void produced(long invoked, long returned, String... items) {
        history.produced(from(invoked, returned), List.of(items));
    }

    private void leased(long invoked, long returned, LeasedItem... items) {
        history.leased(from(invoked, returned), Arrays.asList(items));
    }

    private void completed(long invoked, long returned, LeasedItem... items) {
        Arrays.asList(items).forEach(item -> history.completed(from(invoked, returned), item));
    }

    private void assertWell() {
        assertThat(history.violations()).isEmpty();
    }

    private void assertViolation(String... words) {
        assertThat(history.violations()).containsExactlyInAnyOrder(words);
    }

    @Test
    void nothing_is_well() {
        assertWell();
    }

    @Test
    void items_leased_in_their_order_and_completed_in_any_are_well() {
        produced(1, 2, "a", "b");
        produced(3, 4, "c");
        leased(5, 6, item("a", 1), item("b", 1));
        leased(7, 8, item("c", 1));
        completed(9, 10, item("c", 1));
        completed(11, 12, item("b", 1), item("a", 1));
        assertWell();
    }

    @Test
    void produces_that_overlap_may_be_leased_in_any_order() {
        produced(1, 4, "a");
        produced(2, 3, "b");
        leased(5, 6, item("b", 1), item("a", 1));
        completed(7, 8, item("a", 1), item("b", 1));
        assertWell();
    }

    @Test
    void leases_that_overlap_may_return_in_any_order() {
        produced(1, 2, "a");
        produced(3, 4, "b");
        leased(5, 8, item("a", 1));
        leased(6, 7, item("b", 1));
        completed(9, 10, item("a", 1), item("b", 1));
        assertWell();
    }

    @Test
    void an_item_is_out_of_order_that_was_produced_first_and_leased_second() {
        produced(1, 2, "a");
        produced(3, 4, "b");
        leased(5, 6, item("b", 1));
        leased(7, 8, item("a", 1));
        completed(9, 10, item("a", 1), item("b", 1));
        assertViolation("a (attempt 1) was ready before b (attempt 1) and was leased after it");
    }

    @Test
    void items_of_one_produce_are_out_of_order_if_leased_the_other_way_round() {
        produced(1, 2, "a", "b");
        leased(3, 4, item("b", 1));
        leased(5, 6, item("a", 1));
        completed(7, 8, item("a", 1), item("b", 1));
        assertViolation("a (attempt 1) was ready before b (attempt 1) and was leased after it");
    }

    @Test
    void items_are_out_of_order_within_one_lease() {
        produced(1, 2, "a");
        produced(3, 4, "b");
        leased(5, 6, item("b", 1), item("a", 1));
        completed(7, 8, item("a", 1), item("b", 1));
        assertViolation("a (attempt 1) was ready before b (attempt 1) and was leased after it");
    }

    @Test
    void a_retried_item_goes_to_the_tail() {
        produced(1, 2, "a", "b");
        leased(3, 4, item("a", 1));
        history.retried(from(5, 6), item("a", 1));
        leased(7, 8, item("b", 1), item("a", 2));
        completed(9, 10, item("a", 2), item("b", 1));
        assertWell();
    }

    @Test
    void a_retried_item_that_goes_to_the_head_is_out_of_order() {
        produced(1, 2, "a", "b");
        leased(3, 4, item("a", 1));
        history.retried(from(5, 6), item("a", 1));
        leased(7, 8, item("a", 2));
        leased(9, 10, item("b", 1));
        completed(11, 12, item("a", 2), item("b", 1));
        assertViolation("b (attempt 1) was ready before a (attempt 2) and was leased after it");
    }

    @Test
    void an_item_whose_lease_ended_goes_to_the_tail() {
        produced(1, 2, "a", "b");
        leased(3, 4, item("a", 1));
        leased(70, 71, item("b", 1), item("a", 2));
        completed(72, 73, item("a", 2), item("b", 1));
        assertWell();
    }

    @Test
    void an_item_whose_lease_ended_that_goes_to_the_head_is_out_of_order() {
        produced(1, 2, "a", "b");
        leased(3, 4, item("a", 1));
        leased(70, 71, item("a", 2));
        leased(72, 73, item("b", 1));
        completed(74, 75, item("a", 2), item("b", 1));
        assertViolation("b (attempt 1) was ready before a (attempt 2) and was leased after it");
    }

    @Test
    void an_item_is_leased_by_two_at_once_before_its_deadline() {
        produced(1, 2, "a");
        leased(3, 4, item("a", 1));
        leased(5, 6, item("a", 2));
        completed(7, 8, item("a", 2));
        assertViolation("a was leased by two at once, with attempts 1 and 2");
    }

    @Test
    void an_item_is_leased_by_two_at_once_before_it_was_retried() {
        produced(1, 2, "a");
        leased(3, 4, item("a", 1));
        leased(5, 6, item("a", 2));
        history.retried(from(7, 8), item("a", 1));
        completed(9, 10, item("a", 2));
        assertViolation(
                "a was leased by two at once, with attempts 1 and 2", "a was retried under a lease that had ended");
    }

    @Test
    void an_item_is_lost() {
        produced(1, 2, "a", "b");
        leased(3, 4, item("a", 1));
        completed(5, 6, item("a", 1));
        assertViolation("b was acknowledged and is lost");
    }

    @Test
    void an_item_that_is_left_is_not_lost() {
        produced(1, 2, "a", "b");
        leased(3, 4, item("a", 1));
        completed(5, 6, item("a", 1));
        history.left(List.of("b"));
        assertWell();
    }

    @Test
    void an_item_is_completed_and_still_there() {
        produced(1, 2, "a");
        leased(3, 4, item("a", 1));
        completed(5, 6, item("a", 1));
        history.left(List.of("a"));
        assertViolation("a was completed and is still there");
    }

    @Test
    void an_item_is_completed_twice() {
        produced(1, 2, "a");
        leased(3, 4, item("a", 1));
        completed(5, 6, item("a", 1));
        completed(7, 8, item("a", 1));
        assertViolation("a was completed twice");
    }

    @Test
    void an_item_is_leased_after_it_was_completed() {
        produced(1, 2, "a");
        leased(3, 4, item("a", 1));
        completed(5, 6, item("a", 1));
        leased(70, 71, item("a", 2));
        assertViolation("a was leased after it was completed");
    }

    @Test
    void an_item_is_completed_under_a_lease_that_had_ended() {
        produced(1, 2, "a");
        leased(3, 4, item("a", 1));
        leased(70, 71, item("a", 2));
        completed(72, 73, item("a", 1));
        assertViolation("a was completed under a lease that had ended");
    }

    @Test
    void an_item_is_completed_without_a_lease() {
        produced(1, 2, "a");
        completed(3, 4, item("a", 1));
        assertViolation("a was completed without a lease");
    }

    @Test
    void an_item_is_completed_and_retried_under_the_same_lease() {
        produced(1, 2, "a");
        leased(3, 4, item("a", 1));
        history.retried(from(5, 6), item("a", 1));
        completed(7, 8, item("a", 1));
        assertViolation("a was completed and retried under the same lease");
    }

    @Test
    void an_item_comes_from_nowhere() {
        leased(1, 2, item("a", 1));
        completed(3, 4, item("a", 1));
        assertViolation("a was leased before it was produced");
    }

    @Test
    void an_item_is_leased_before_it_is_produced() {
        leased(1, 2, item("a", 1));
        produced(3, 4, "a");
        completed(5, 6, item("a", 1));
        assertViolation("a was leased before it was produced");
    }

    @Test
    void attempts_are_skipped() {
        produced(1, 2, "a");
        leased(3, 4, item("a", 2));
        completed(5, 6, item("a", 2));
        assertViolation("a had 2 attempts in its lease number 1");
    }

    @Test
    void attempts_are_not_counted() {
        produced(1, 2, "a");
        leased(3, 4, item("a", 1, 1));
        history.retried(from(5, 6), item("a", 1, 1));
        leased(7, 8, item("a", 1, 2));
        completed(9, 10, item("a", 1, 2));
        assertViolation("a had 1 attempts in its lease number 2");
    }

    @Test
    void an_id_is_used_for_two_leases() {
        produced(1, 2, "a");
        leased(3, 4, item("a", 1, 7));
        leased(70, 71, item("a", 2, 7));
        completed(72, 73, item("a", 2, 7));
        assertViolation("a was leased under the id 000000000000000000000000007 of an earlier lease");
    }

    @Test
    void a_lease_comes_back_empty_while_an_item_is_ready() {
        produced(1, 2, "a");
        leased(3, 4);
        leased(5, 6, item("a", 1));
        completed(7, 8, item("a", 1));
        assertViolation("a lease came back empty although a (attempt 1) was ready");
    }

    @Test
    void a_lease_may_come_back_empty_before_an_item_is_produced_and_after_it_is_leased() {
        leased(1, 4);
        produced(3, 6, "a");
        leased(5, 8, item("a", 1));
        leased(7, 9);
        completed(10, 11, item("a", 1));
        leased(12, 13);
        assertWell();
    }

    @Test
    void an_end_is_refused_although_the_lease_runs() {
        produced(1, 2, "a");
        leased(3, 4, item("a", 1));
        history.refused(from(5, 6), item("a", 1));
        history.left(List.of("a"));
        assertViolation("a was refused its end although its lease had not ended");
    }

    @Test
    void an_end_may_be_refused_when_the_lease_is_over() {
        produced(1, 2, "a");
        leased(3, 4, item("a", 1));
        history.refused(from(65, 66), item("a", 1));
        leased(67, 68, item("a", 2));
        completed(69, 70, item("a", 2));
        history.refused(from(71, 72), item("a", 2));
        assertWell();
    }
}
