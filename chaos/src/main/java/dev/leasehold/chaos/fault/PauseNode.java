package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Node;
import dev.leasehold.testkit.process.ChildJvm;
import org.jspecify.annotations.Nullable;

/** A JVM stands still, as in a long collection of garbage or on an overloaded host, and goes on without knowing. */
final class PauseNode implements Fault {
    private final Node node;
    private @Nullable ChildJvm paused;

    PauseNode(Node node) {
        this.node = node;
    }

    /** Another fault may have killed it already. */
    @Override
    public void begin() {
        ChildJvm jvm = node.jvm();
        if (jvm.isAlive()) {
            jvm.pause();
            paused = jvm;
        }
    }

    /** The one that was paused: if it was killed since, another has its place, and nobody has paused that. */
    @Override
    public void end() {
        if (paused != null && paused.isAlive()) {
            paused.resume();
        }
    }
}
