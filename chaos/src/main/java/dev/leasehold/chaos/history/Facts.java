package dev.leasehold.chaos.history;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.LockId;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known at an event, beyond its subject; {@link Operation} says which call knows what. Immutable; start from {@link #NONE}.
 *
 * @param grant a digest of the lock id, never the lock id itself
 * @param lastsNanos the ttl or lease timeout that was asked for
 * @param renewed whether the handle extends the grant by itself
 * @param note for people: the code of an error, what a fault was done to
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Facts(
        @Nullable Integer partition,
        @Nullable String grant,
        @Nullable Long fence,
        @Nullable Long lastsNanos,
        boolean renewed,
        List<ItemFacts> items,
        @Nullable QueueFacts queue,
        @Nullable String note) {
    /** The note of a lock that was lost without its holder being told. */
    public static final String UNTOLD = "untold";

    /** The note of an invocation whose caller gives it less time than an engine may need. */
    public static final String IMPATIENT = "impatient";

    private static final String CANCELLED = "cancelled";

    public static final Facts NONE = new Facts(null, null, null, null, false, List.of(), null, null);

    @SuppressWarnings("NullAway") // a field that is not in the file is null
    public Facts {
        items = items == null ? List.of() : List.copyOf(items);
    }

    public static Facts note(String note) {
        return new Facts(null, null, null, null, false, List.of(), null, note);
    }

    /** Facts about a call that its caller has cancelled. */
    public static Facts cancelled() {
        return note(CANCELLED);
    }

    /** Whether the caller itself ended the call. */
    @JsonIgnore
    public boolean isCancelled() {
        return CANCELLED.equals(note);
    }

    public static Facts items(List<ItemFacts> items) {
        return new Facts(null, null, null, null, false, items, null, null);
    }

    public static Facts queue(QueueFacts queue) {
        return new Facts(null, null, null, null, false, List.of(), queue, null);
    }

    /** Facts about a grant. */
    public static Facts grant(LockId lockId, Fence fence) {
        return new Facts(null, Digest.of(lockId.value()), fence.value(), null, false, List.of(), null, null);
    }

    /** Facts about something that is asked for that long. */
    public static Facts lasts(Duration duration) {
        return new Facts(null, null, null, duration.toNanos(), false, List.of(), null, null);
    }

    public Facts partition(int partition) {
        return new Facts(partition, grant, fence, lastsNanos, renewed, items, queue, note);
    }

    public Facts lasting(Duration duration) {
        return new Facts(partition, grant, fence, duration.toNanos(), renewed, items, queue, note);
    }

    /** The same of a handle that extends its grant by itself. */
    public Facts renewing() {
        return new Facts(partition, grant, fence, lastsNanos, true, items, queue, note);
    }

    public Facts with(List<ItemFacts> items) {
        return new Facts(partition, grant, fence, lastsNanos, renewed, items, queue, note);
    }

    public Facts noting(String note) {
        return new Facts(partition, grant, fence, lastsNanos, renewed, items, queue, note);
    }
}
