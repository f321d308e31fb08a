package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Node;
import java.util.Map;

/** A JVM is killed; another one takes its place. */
final class KillNode implements Fault {
    private final Node node;

    KillNode(Node node) {
        this.node = node;
    }

    @Override
    public void begin() {
        node.jvm().kill();
    }

    @Override
    public void end() {
        node.restart(Map.of());
    }
}
