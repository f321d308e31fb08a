package dev.leasehold.cli.process;

import static dev.leasehold.testkit.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Signals to this very process, sent only while they are caught. Alone, because others in this JVM catch them too. */
@Isolated
class SignalsTest {
    private static void send(Signals.Kind kind) throws IOException, InterruptedException {
        String self = Long.toString(ProcessHandle.current().pid());
        assertThat(new ProcessBuilder("kill", "-s", kind.name(), self).start().waitFor())
                .isZero();
    }

    @Test
    void a_signal_reaches_the_listener_and_not_the_process() throws Exception {
        List<Signals.Kind> heard = new CopyOnWriteArrayList<>();
        try (Signals signals = Signals.catching()) {
            signals.subscribe(heard::add);
            send(Signals.Kind.TERM);
            await().until(() -> heard.contains(Signals.Kind.TERM));
            assertThat(signals.first()).contains(Signals.Kind.TERM);
        }
    }

    @Test
    void a_signal_that_nobody_listened_to_is_kept() throws Exception {
        List<Signals.Kind> heard = new CopyOnWriteArrayList<>();
        try (Signals signals = Signals.catching()) {
            send(Signals.Kind.TERM);
            await().until(() -> signals.first().isPresent());
            signals.subscribe(heard::add);
            assertThat(heard).containsExactly(Signals.Kind.TERM);
        }
    }

    @Test
    void the_next_listener_hears_of_the_first_signal_again() throws Exception {
        List<Signals.Kind> heard = new CopyOnWriteArrayList<>();
        try (Signals signals = Signals.catching()) {
            signals.subscribe(kind -> {});
            send(Signals.Kind.TERM);
            await().until(() -> signals.first().isPresent());
            signals.subscribeAndReplay(heard::add);
            assertThat(heard).containsExactly(Signals.Kind.TERM);
        }
    }
}
