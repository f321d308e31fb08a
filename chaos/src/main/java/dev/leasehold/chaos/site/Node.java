package dev.leasehold.chaos.site;

import dev.leasehold.testkit.process.ChildJvm;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A client or server of the run: one JVM after the other, each with a name of its own, because what was promised to one that was
 * killed is nobody's.
 */
public final class Node implements AutoCloseable {
    private final String name;
    private final Starter starter;
    private final List<String> incarnations = new CopyOnWriteArrayList<>();
    private ChildJvm jvm;

    /** Starts the JVM of one incarnation. */
    @FunctionalInterface
    public interface Starter {
        ChildJvm start(String incarnation, Map<String, String> environment);
    }

    public Node(String name, Starter starter) {
        this.name = name;
        this.starter = starter;
        this.jvm = begin(Map.of());
    }

    private ChildJvm begin(Map<String, String> environment) {
        String incarnation = name + "." + (incarnations.size() + 1);
        incarnations.add(incarnation);
        return starter.start(incarnation, environment);
    }

    public String name() {
        return name;
    }

    /** The names that it has had so far, the present one last. */
    public List<String> incarnations() {
        return incarnations;
    }

    public synchronized ChildJvm jvm() {
        return jvm;
    }

    /** Starts the next incarnation; the one before is killed if it still runs. */
    public synchronized void restart(Map<String, String> environment) {
        jvm.close();
        jvm = begin(environment);
    }

    @Override
    public synchronized void close() {
        jvm.close();
    }
}
