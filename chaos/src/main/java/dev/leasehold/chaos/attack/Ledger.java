package dev.leasehold.chaos.attack;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The books of one client: which items it was told are stored, and which are completed. An item is known by its number, which is its
 * payload. Of calls without an answer nothing is known, so their items may be there or not.
 */
final class Ledger {
    private static final int SHOWN = 20;

    private final BitSet owed = new BitSet();
    private final BitSet completed = new BitSet();
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private int last;

    /** The number of the next item to produce. */
    synchronized long producing() {
        return ++last;
    }

    /** It was acknowledged. */
    synchronized void produced(long number) {
        owed.set((int) number);
    }

    /** It was leased: it must have been produced, and not been completed. */
    synchronized void leased(long number) {
        if (number < 1 || number > last) {
            report("item " + number + " was leased, and nobody has produced it");
        } else if (completed.get((int) number)) {
            report("item " + number + " was leased, although its completion was acknowledged");
        }
    }

    /** From now on it may be gone. */
    synchronized void completing(long number) {
        owed.clear((int) number);
    }

    /** Its completion was acknowledged. */
    synchronized void completed(long number) {
        completed.set((int) number);
    }

    synchronized boolean isOwed() {
        return !owed.isEmpty();
    }

    /** Everything that can be leased has been: what is still owed is lost. */
    synchronized void settle() {
        if (isOwed()) {
            report(owed.cardinality() + " acknowledged items are lost: "
                    + owed.stream().limit(SHOWN).boxed().toList());
        }
    }

    void report(String problem) {
        if (problems.size() < SHOWN) {
            problems.add(problem);
        }
    }

    List<String> problems() {
        return List.copyOf(problems);
    }
}
