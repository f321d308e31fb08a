package dev.leasehold.queue.internal;

import static dev.leasehold.queue.internal.ConsumerFixture.OPTIONS;
import static dev.leasehold.queue.internal.FakeCall.Verb.COMPLETE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.CapturedLog;
import dev.leasehold.queue.Consumer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConsumerGivesUpTest {
    private static final Duration AT_LEAST = Duration.ofSeconds(4);
    private static final Duration AT_MOST = Duration.ofSeconds(8);

    private final ConsumerFixture fixture = new ConsumerFixture();

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
    void a_store_that_does_not_answer_is_not_waited_for_for_ever() {
        fixture.queue.on(COMPLETE, call -> {});
        fixture.queue.put(1);
        Consumer consumer = fixture.start(OPTIONS.stopTimeout(Duration.ofHours(1)));
        fixture.call(COMPLETE, 0);
        try (CapturedLog log = new CapturedLog()) {
            assertThat(toClose(consumer)).isBetween(AT_LEAST, AT_MOST);
            assertThat(consumer.isClosed()).isTrue();
            assertThat(log.lines("event=consumer_gave_up queue=fake running=0 unsettled=1"))
                    .hasSize(1);
        }
    }

    @Test
    void a_handler_that_ignores_its_interrupt_is_not_waited_for_for_ever() {
        fixture.queue.put(1);
        Consumer consumer = fixture.start(OPTIONS.stopTimeout(Duration.ZERO), item -> {
            fixture.note(item);
            fixture.gate.acquireUninterruptibly();
        });
        fixture.awaitBegun(1);
        try (CapturedLog log = new CapturedLog()) {
            assertThat(toClose(consumer)).isBetween(AT_LEAST, AT_MOST);
            assertThat(log.lines("event=consumer_gave_up queue=fake running=1 unsettled=0"))
                    .hasSize(1);
        }
    }
}
