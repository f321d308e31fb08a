package dev.leasehold.queue.internal.dispatch;

import java.util.TreeSet;

/** What the stores are being asked just now, numbered in the order in which it was asked. */
class Questions {
    /** The number of what nobody waits for. */
    static final long NONE = 0;

    private final TreeSet<Long> open = new TreeSet<>();
    private long last = NONE;

    long open() {
        open.add(++last);
        return last;
    }

    void close(long question) {
        open.remove(question);
    }

    /** The number of the last one that was opened. */
    long last() {
        return last;
    }

    int size() {
        return open.size();
    }

    /** How many up to this one have not been answered yet. */
    int openUpTo(long question) {
        return open.headSet(question, true).size();
    }

    /** Whether this one or an earlier one has not been answered yet. */
    boolean isOpenUpTo(long question) {
        return !open.isEmpty() && open.first() <= question;
    }
}
