package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.ItemFacts;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Events for people to read. */
final class Excerpt {
    private Excerpt() {}

    /** The events of these calls, each once, in the order of their times. */
    static List<Event> of(Call... calls) {
        return Stream.of(calls)
                .flatMap(call -> Stream.of(call.invoke(), call.end()))
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .distinct()
                .sorted(Comparator.comparingLong(Event::sequence))
                .toList();
    }

    static String line(Event event) {
        return String.format(
                Locale.ROOT,
                "#%d %.6f s %s/%s %s %s %s%s",
                event.sequence(),
                event.nanos() / 1e9,
                event.node(),
                event.worker(),
                event.kind(),
                event.operation(),
                event.subject(),
                words(event.facts()));
    }

    private static String words(Facts facts) {
        return word(" partition ", facts.partition())
                + word(" grant ", facts.grant())
                + word(" fence ", facts.fence())
                + word(" lasts ns ", facts.lastsNanos())
                + facts.items().stream().map(Excerpt::words).collect(Collectors.joining())
                + word(" ", facts.queue())
                + word(": ", facts.note());
    }

    private static String words(ItemFacts item) {
        return " [" + item.payload() + word(" id ", item.id())
                + (item.attempts() == 0 ? "" : " attempt " + item.attempts()) + " " + item.turn() + "]";
    }

    private static String word(String name, @Nullable Object value) {
        return value == null ? "" : name + value;
    }
}
