package dev.leasehold.chaos.history;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Where the events of one process go while it runs. Safe for use by many threads; an event is kept when {@code append} returns. */
public interface Journal extends AutoCloseable {
    void append(Event event);

    /** All that was appended so far, in that order. */
    List<Event> events();

    @Override
    default void close() {}

    /** What was appended so far, as a history. */
    default History history() {
        return History.merge(List.of(events()));
    }

    /** A journal in memory. */
    static Journal inMemory() {
        List<Event> events = new ArrayList<>();
        return new Journal() {
            @Override
            public void append(Event event) {
                synchronized (events) {
                    events.add(event);
                }
            }

            @Override
            public List<Event> events() {
                synchronized (events) {
                    return List.copyOf(events);
                }
            }
        };
    }

    /** A journal in a file of JSON lines. What was appended is there even if the process is killed, though not if the machine is. */
    static Journal writingTo(Path file) {
        return new JournalFile(file);
    }
}
