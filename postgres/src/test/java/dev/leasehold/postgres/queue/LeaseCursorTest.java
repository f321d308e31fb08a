package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.queue.LeaseCursor.Scan;
import dev.leasehold.postgres.queue.LeaseCursor.Survey;
import dev.leasehold.postgres.queue.LeaseCursor.SurveyStart;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Leases begin behind what is gone, and never behind what may still turn up. */
class LeaseCursorTest {
    private LeaseCursor cursor = new LeaseCursor();

    private SurveyStart start() {
        SurveyStart start = cursor.leased(LeaseCursor.ITEMS);
        assertThat(start).isNotNull();
        return start;
    }

    private void survey(@Nullable Long readyId, long nextId, long nextXid, long oldestXid) {
        cursor.surveyed(start(), new Survey(readyId, nextId, nextXid, oldestXid));
    }

    private long known() {
        Scan scan = cursor.beginScan();
        cursor.endScan(scan);
        return scan.known();
    }

    @Test
    void it_takes_three_surveys_to_know() {
        survey(null, 101, 50, 50);
        assertThat(known()).isZero();
        survey(null, 201, 60, 60);
        assertThat(known()).isZero();
        survey(null, 301, 70, 70);
        assertThat(known()).isEqualTo(101);
        survey(null, 401, 80, 80);
        assertThat(known()).isEqualTo(201);
    }

    @Test
    void leases_begin_at_the_first_item_that_is_ready() {
        survey(null, 101, 50, 50);
        survey(null, 201, 60, 60);
        survey(42L, 301, 70, 70);
        assertThat(known()).isEqualTo(42);
        survey(150L, 401, 80, 80);
        assertThat(known()).isEqualTo(150);
        survey(390L, 501, 90, 90);
        assertThat(known()).isEqualTo(301);
    }

    /** It may have drawn any id up to then, and its items are not to be seen yet. */
    @Test
    void nothing_is_passed_while_a_transaction_from_before_is_under_way() {
        survey(null, 101, 50, 45);
        survey(null, 201, 60, 45);
        survey(null, 301, 70, 45);
        survey(null, 401, 80, 59);
        assertThat(known()).isZero();
        survey(null, 501, 90, 60);
        assertThat(known()).isEqualTo(101);
    }

    @Test
    void what_is_given_back_is_where_leases_begin_again() {
        it_takes_three_surveys_to_know();
        cursor.rewind(7);
        assertThat(known()).isEqualTo(7);
        cursor.rewind(9);
        assertThat(known()).isEqualTo(7);
    }

    @Test
    void a_survey_from_before_something_was_given_back_says_nothing() {
        survey(null, 101, 50, 50);
        survey(null, 201, 60, 60);
        SurveyStart old = start();
        cursor.rewind(7);
        cursor.surveyed(old, new Survey(null, 301, 70, 70));
        assertThat(known()).isZero();
        survey(null, 401, 80, 80);
        survey(null, 501, 90, 90);
        assertThat(known()).isZero();
        survey(null, 601, 99, 99);
        assertThat(known()).isEqualTo(401);
    }

    @Test
    void a_survey_that_failed_says_nothing() {
        survey(null, 101, 50, 50);
        survey(null, 201, 60, 60);
        cursor.surveyed(start(), null);
        survey(null, 401, 80, 80);
        assertThat(known()).isZero();
    }

    @Test
    void surveys_come_one_at_a_time_and_after_many_leases() {
        assertThat(cursor.leased(LeaseCursor.ITEMS - 1)).isNull();
        SurveyStart first = cursor.leased(1);
        assertThat(first).isNotNull();
        assertThat(cursor.leased(10 * LeaseCursor.ITEMS)).isNull();
        cursor.surveyed(first, null);
        assertThat(cursor.leased(0)).isNotNull();
    }

    @Test
    void now_and_then_one_lease_begins_at_the_very_beginning() {
        AtomicLong nanos = new AtomicLong();
        cursor = new LeaseCursor(nanos::get);
        survey(null, 101, 50, 50);
        survey(null, 201, 60, 60);
        survey(null, 301, 70, 70);
        Scan walk = cursor.beginScan();
        assertThat(walk.first()).isZero();
        assertThat(cursor.beginScan().first()).isEqualTo(101);
        cursor.endScan(walk);
        nanos.addAndGet(Duration.ofMillis(100).toNanos() - 1);
        assertThat(cursor.beginScan().first()).isEqualTo(101);
        nanos.incrementAndGet();
        assertThat(cursor.beginScan().first()).isZero();
    }

    @Test
    void what_is_found_before_the_place_where_others_begin_is_where_they_begin_then() {
        it_takes_three_surveys_to_know();
        Scan walk = new Scan(0, 201, System.nanoTime());
        cursor.found(walk, 250);
        assertThat(known()).isEqualTo(201);
        cursor.found(walk, 33);
        assertThat(known()).isEqualTo(33);
    }
}
