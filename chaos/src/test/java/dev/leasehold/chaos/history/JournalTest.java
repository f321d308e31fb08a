package dev.leasehold.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.LockId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    @TempDir
    private Path folder;

    @Test
    void what_was_written_is_read_again() {
        try (Journal journal = Journal.writingTo(folder.resolve("a"))) {
            Recorder recorder = new Recorder(journal, "a");
            LockId lockId = LockId.generate();
            recorder.invoke(
                            "w",
                            Operation.ACQUIRE,
                            "k",
                            Facts.lasts(Duration.ofSeconds(1)).renewing())
                    .ok(Facts.grant(lockId, Fence.of(7)));
            recorder.invoke("w", Operation.CREATE_QUEUE, "q", Facts.NONE).ok(Facts.queue(new QueueFacts(3, "dead", 5)));
            ItemFacts item = ItemFacts.of("p").id("i").attempts(2).turn(Turn.LATER);
            recorder.invoke(
                            "w",
                            Operation.RETRY,
                            "q",
                            Facts.items(List.of(item)).partition(0))
                    .unknown("cut");

            List<Event> events = journal.events();

            assertThat(events).hasSize(6);
            assertThat(events.get(0).facts())
                    .isEqualTo(Facts.lasts(Duration.ofSeconds(1)).renewing());
            assertThat(events.get(1).facts()).isEqualTo(Facts.grant(lockId, Fence.of(7)));
            assertThat(events.get(3).facts().queue()).isEqualTo(new QueueFacts(3, "dead", 5));
            assertThat(events.get(4).facts().items()).containsExactly(item);
            assertThat(events.get(4).facts().partition()).isZero();
            assertThat(events.get(5))
                    .isEqualTo(new Event(
                            5,
                            3,
                            Kind.UNKNOWN,
                            events.get(5).nanos(),
                            "a",
                            "w",
                            Operation.RETRY,
                            "q",
                            Facts.note("cut")));
            assertThat(read("a")).doesNotContain(lockId.value());
        }
    }

    @Test
    void a_line_that_was_cut_short_is_left_out() throws IOException {
        Path file = folder.resolve("a");
        try (Journal journal = Journal.writingTo(file)) {
            new Recorder(journal, "a")
                    .invoke("w", Operation.RELEASE, "k", Facts.NONE)
                    .ok();
        }
        Files.writeString(file, "{\"sequence\":2,\"ca", StandardOpenOption.APPEND);

        assertThat(History.read(List.of(file)).events()).extracting(Event::kind).containsExactly(Kind.INVOKE, Kind.OK);
    }

    @Test
    void a_line_that_is_no_event_is_named() throws IOException {
        Path file = Files.writeString(folder.resolve("a"), "nonsense\n");

        assertThatThrownBy(() -> History.read(List.of(file)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("is no event: nonsense");
    }

    @Test
    void an_interrupted_worker_does_not_close_the_journal() {
        try (Journal journal = Journal.writingTo(folder.resolve("a"))) {
            Recorder recorder = new Recorder(journal, "a");
            Thread.currentThread().interrupt();
            Recorder.Call call = recorder.invoke("w", Operation.RELEASE, "k", Facts.NONE);
            assertThat(Thread.interrupted()).isTrue();
            call.ok();

            assertThat(journal.events()).hasSize(2);
        }
    }

    @Test
    void journals_of_several_processes_are_merged_by_time() {
        Event first = event(5, "a", 0);
        Event second = event(6, "b", 0);
        Event third = event(7, "a", 1);

        assertThat(History.merge(List.of(List.of(first, third), List.of(second)))
                        .events())
                .containsExactly(first.at(0), second.at(1), third.at(2));
    }

    @Test
    void two_journals_of_one_node_are_refused() {
        assertThatThrownBy(() -> History.merge(List.of(List.of(event(1, "a", 0)), List.of(event(2, "a", 0)))))
                .hasMessageContaining("two journals are of node 'a'");
    }

    @Test
    void many_threads_append_whole_lines() {
        try (Journal journal = Journal.writingTo(folder.resolve("a"))) {
            Recorder recorder = new Recorder(journal, "a");
            IntStream.range(0, 2000)
                    .parallel()
                    .forEach(i -> recorder.invoke("w" + i, Operation.RELEASE, "k", Facts.NONE)
                            .ok());

            assertThat(journal.events()).hasSize(4000);
        }
    }

    private static Event event(long nanos, String node, long sequence) {
        return new Event(sequence, 1, Kind.INVOKE, nanos, node, "w", Operation.RELEASE, "k", Facts.NONE);
    }

    private String read(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
