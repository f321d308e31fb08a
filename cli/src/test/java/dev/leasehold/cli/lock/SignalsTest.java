package dev.leasehold.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Signals to this very process, sent only while they are caught. */
class SignalsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static void send(Signals.Kind kind) throws IOException, InterruptedException {
        String self = Long.toString(ProcessHandle.current().pid());
        assertThat(new ProcessBuilder("kill", "-s", kind.name(), self).start().waitFor())
                .isZero();
    }

    @Test
    void a_signal_reaches_the_listener_and_not_the_process() throws Exception {
        List<Signals.Kind> heard = new CopyOnWriteArrayList<>();
        try (Signals signals = Signals.catching()) {
            signals.tell(heard::add);
            send(Signals.Kind.TERM);
            await().atMost(PATIENCE).until(() -> heard.contains(Signals.Kind.TERM));
            assertThat(signals.first()).contains(Signals.Kind.TERM);
        }
    }

    @Test
    void a_signal_that_nobody_listened_to_is_kept() throws Exception {
        List<Signals.Kind> heard = new CopyOnWriteArrayList<>();
        try (Signals signals = Signals.catching()) {
            send(Signals.Kind.TERM);
            await().atMost(PATIENCE).until(() -> signals.first().isPresent());
            signals.tell(heard::add);
            assertThat(heard).containsExactly(Signals.Kind.TERM);
        }
    }

    @Test
    void the_next_listener_hears_of_the_first_signal_again() throws Exception {
        List<Signals.Kind> heard = new CopyOnWriteArrayList<>();
        try (Signals signals = Signals.catching()) {
            signals.tell(kind -> {});
            send(Signals.Kind.TERM);
            await().atMost(PATIENCE).until(() -> signals.first().isPresent());
            signals.tellAlsoOfTheFirst(heard::add);
            assertThat(heard).containsExactly(Signals.Kind.TERM);
        }
    }
}
