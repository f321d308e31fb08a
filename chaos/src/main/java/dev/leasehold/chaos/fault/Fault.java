package dev.leasehold.chaos.fault;

/** Something that goes wrong for a while. Used by one thread: begin, then end, once. */
public interface Fault {
    /** Makes it go wrong; returns when it does. */
    void begin();

    /** Makes it stop; returns when whatever was taken away is there again. */
    void end();
}
