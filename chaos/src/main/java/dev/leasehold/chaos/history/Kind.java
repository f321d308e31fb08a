package dev.leasehold.chaos.history;

/** Where in its call an event is. */
public enum Kind {
    /** The call is about to be made. Without an event of another kind behind it, what became of it is not known. */
    INVOKE,
    /** It was done, and these are the facts. */
    OK,
    /** It was certainly not done. */
    FAIL,
    /** It may have been done, or may yet be. */
    UNKNOWN
}
