package dev.leasehold.postgres.queue;

import dev.leasehold.queue.When;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** When items become ready, as parameter arrays: a moment, a delay from the database's now, or null for both. */
final class ScheduleColumns {
    private ScheduleColumns() {}

    static Long[] ats(List<When> whens) {
        return whens.stream().map(ScheduleColumns::at).toArray(Long[]::new);
    }

    static Long[] delays(List<When> whens) {
        return whens.stream().map(ScheduleColumns::delay).toArray(Long[]::new);
    }

    static Long[] lenients(List<When> whens) {
        return whens.stream().map(when -> when.isLenient() ? 1L : 0L).toArray(Long[]::new);
    }

    private static @Nullable Long at(When when) {
        return when instanceof When.At at ? (Long) QueueRows.micros(at.moment()) : null;
    }

    private static @Nullable Long delay(When when) {
        return when instanceof When.After after ? (Long) QueueRows.micros(after.delay()) : null;
    }
}
