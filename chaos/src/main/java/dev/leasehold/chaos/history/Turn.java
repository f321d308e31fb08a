package dev.leasehold.chaos.history;

/** When a produced or retried item is meant to have its turn. */
public enum Turn {
    NOW,
    LATER,
    /** Never again: it goes to the dead queue, or away. */
    DEAD
}
