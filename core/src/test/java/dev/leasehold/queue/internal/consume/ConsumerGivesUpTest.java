package dev.leasehold.queue.internal.consume;

import static dev.leasehold.queue.internal.consume.ConsumerFixture.OPTIONS;
import static dev.leasehold.queue.internal.consume.FakeCall.Verb.COMPLETE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.TestWaits;
import dev.leasehold.lock.CapturedLog;
import dev.leasehold.queue.Consumer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(TestWaits.TEST_LIMIT)
class ConsumerGivesUpTest {
    private static final Duration SETTLE = Duration.ofMillis(200);

    private final ConsumerFixture fixture = new ConsumerFixture();
    private final FakeQueue queue = fixture.queue;

    @BeforeEach
    void settleSoon() {
        fixture.settleTimeout = SETTLE;
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Duration toClose(Consumer consumer) {
        long start = System.nanoTime();
        consumer.close();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Test
    void a_store_that_does_not_answer_is_given_five_seconds() {
        assertThat(ConsumerRuntime.SETTLE_TIMEOUT).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void a_store_that_does_not_answer_is_not_waited_for_for_ever() {
        queue.on(COMPLETE, call -> {});
        queue.put(1);
        Consumer consumer = fixture.start(OPTIONS.stopTimeout(Duration.ofHours(1)));
        fixture.call(COMPLETE, 0);
        try (CapturedLog log = new CapturedLog()) {
            assertThat(toClose(consumer)).isGreaterThanOrEqualTo(SETTLE);
            assertThat(consumer.isClosed()).isTrue();
            assertThat(log.lines("event=consumer_gave_up queue=" + queue.name() + " running=0 unsettled=1"))
                    .hasSize(1);
        }
    }

    @Test
    void a_handler_that_ignores_its_interrupt_is_not_waited_for_for_ever() {
        queue.put(1);
        Consumer consumer = fixture.start(OPTIONS.stopTimeout(Duration.ZERO), item -> {
            fixture.note(item);
            fixture.gate.acquireUninterruptibly();
        });
        fixture.awaitBegun(1);
        try (CapturedLog log = new CapturedLog()) {
            assertThat(toClose(consumer)).isGreaterThanOrEqualTo(SETTLE);
            assertThat(log.lines("event=consumer_gave_up queue=" + queue.name() + " running=1 unsettled=0"))
                    .hasSize(1);
        }
    }
}
