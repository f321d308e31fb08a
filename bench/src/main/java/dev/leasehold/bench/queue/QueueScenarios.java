package dev.leasehold.bench.queue;

import dev.leasehold.bench.Scenario;
import java.util.List;

/** The scenarios of queues. */
public final class QueueScenarios {
    private QueueScenarios() {}

    public static List<Scenario> all() {
        return List.of();
    }
}
