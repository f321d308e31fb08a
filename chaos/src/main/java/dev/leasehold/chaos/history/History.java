package dev.leasehold.chaos.history;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The events of a run, in the order of their times. Immutable; a {@link Journal} makes them.
 *
 * <p>Several processes of one machine write a journal each; merged, they are the history of the run.
 */
public record History(List<Event> events) {
    private static final Comparator<Event> BY_TIME =
            Comparator.comparingLong(Event::nanos).thenComparing(Event::node).thenComparingLong(Event::sequence);

    public History {
        events = List.copyOf(events);
    }

    /** Reads the journals of one run. */
    public static History read(Collection<Path> files) {
        List<List<Event>> journals = files.stream().map(JournalFile::read).toList();
        return merge(journals);
    }

    /** The journals of one run in one history; no two of them may be of the same node. */
    public static History merge(Collection<List<Event>> journals) {
        Set<String> known = new HashSet<>();
        List<Event> all = new ArrayList<>();
        for (List<Event> journal : journals) {
            Set<String> nodes = new HashSet<>();
            journal.forEach(event -> nodes.add(event.node()));
            nodes.forEach(node -> claim(known, node));
            all.addAll(journal);
        }
        all.sort(BY_TIME);
        List<Event> numbered = new ArrayList<>(all.size());
        all.forEach(event -> numbered.add(event.at(numbered.size())));
        return new History(numbered);
    }

    private static void claim(Set<String> known, String node) {
        if (!known.add(node)) {
            throw new IllegalArgumentException(
                    "two journals are of node '" + node
                            + "', so their calls cannot be told apart: give every process a name of its own, a restarted one too");
        }
    }
}
