package dev.leasehold.bench;

import dev.leasehold.bench.lock.LockScenarios;
import dev.leasehold.bench.queue.QueueScenarios;
import java.util.List;
import java.util.stream.Stream;

/** Every scenario there is. */
final class Scenarios {
    private Scenarios() {}

    static List<Scenario> all() {
        return Stream.concat(LockScenarios.all().stream(), QueueScenarios.all().stream())
                .toList();
    }
}
