package dev.leasehold.chaos.check;

import dev.leasehold.queue.internal.Ksuid;
import org.jspecify.annotations.Nullable;

/** What ids say about give-backs: a part of each is how often its item was given back in its queue. */
final class GiveBacks {
    private static final int COUNT_DIGITS = 4;

    private GiveBacks() {}

    /** Whether the item may have been given back between the two ids; false only if they show that it was not. */
    static boolean maybeBetween(@Nullable String before, @Nullable String after) {
        if (before == null || after == null) {
            return true;
        }
        return !before.equals(after)
                && (!isId(before) || !isId(after) || !count(before).equals(count(after)));
    }

    private static boolean isId(String text) {
        return Ksuid.whatIsWrongWith(text).isEmpty();
    }

    private static String count(String id) {
        String hex = Ksuid.toHex(id);
        return hex.substring(hex.length() - COUNT_DIGITS);
    }
}
