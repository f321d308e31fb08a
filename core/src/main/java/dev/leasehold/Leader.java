package dev.leasehold;

/** A candidate for a leadership, from {@link Leasehold#leader}. */
public interface Leader extends AutoCloseable {
    /** Whether this process is the leader, as far as it knows. Never a basis for writes: guard those, or send the fence along. */
    boolean isLeader();

    /** Stands for election no more. Interrupts the task if it runs, waits for it to end, and gives the leadership up. */
    @Override
    void close();
}
