package dev.leasehold.micrometer;

import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockEvent.Reason;
import dev.leasehold.lock.LockListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/** Times operations on locks by type and result. A registry finds the timer of an event by name and tags, so none is kept here. */
final class LockMeters implements LockListener {
    private final MeterRegistry registry;

    LockMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void onEvent(LockEvent event) {
        Timer.builder("leasehold.lock.operation")
                .description("Operations on locks, waiting included")
                .tag("type", event.type().text())
                .tag("result", event.result().text())
                .tag("reason", event.why().map(Reason::text).orElse("none"))
                .register(registry)
                .record(event.elapsed());
    }
}
