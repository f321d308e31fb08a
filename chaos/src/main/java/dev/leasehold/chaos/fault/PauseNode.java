package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Node;

/** A JVM stands still, as in a long collection of garbage or on an overloaded host, and goes on without knowing. */
final class PauseNode implements Fault {
    private final Node node;

    PauseNode(Node node) {
        this.node = node;
    }

    @Override
    public void begin() {
        node.jvm().pause();
    }

    @Override
    public void end() {
        node.jvm().resume();
    }
}
