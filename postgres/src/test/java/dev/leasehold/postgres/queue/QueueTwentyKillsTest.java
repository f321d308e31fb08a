package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** So many kills that some come in the middle of a call of every verb. */
@Tag("long")
class QueueTwentyKillsTest extends QueueKills {
    QueueTwentyKillsTest() {
        super(20);
    }

    @Test
    void kills_come_in_the_middle_of_a_call_of_every_verb() {
        assertThat(midCall().values()).allSatisfy(hits -> assertThat(hits).isPositive());
    }
}
