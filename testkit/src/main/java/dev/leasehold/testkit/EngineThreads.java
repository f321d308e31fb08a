package dev.leasehold.testkit;

/** Counts the threads that Leasehold has in this JVM. Threads of the tests themselves do not count. */
public final class EngineThreads {
    private EngineThreads() {}

    /** How many there are: Leasehold's own, and those of the pool that futures fall back to. */
    public static long count() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("leasehold-") || name.startsWith("ForkJoinPool"))
                .count();
    }
}
