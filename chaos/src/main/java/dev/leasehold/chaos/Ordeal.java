package dev.leasehold.chaos;

import dev.leasehold.chaos.fault.Fault;
import dev.leasehold.chaos.fault.FaultKind;
import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.chaos.site.Site;
import dev.leasehold.testkit.process.Polling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * What goes wrong at one time: a fault, or two that overlap. The second begins half a hold after the first, and ends half a hold after
 * it.
 */
record Ordeal(List<FaultKind> kinds) {
    Ordeal {
        kinds = List.copyOf(kinds);
    }

    /** Each fault once, in an order that the dice decide. */
    static List<Ordeal> oneByOne(List<FaultKind> faults, Random random) {
        return shuffled(faults, random).stream()
                .map(kind -> new Ordeal(List.of(kind)))
                .toList();
    }

    /**
     * Each fault at least once, with another that it goes with: one that had no turn yet, if there is any. A fault that goes with none
     * comes alone.
     */
    static List<Ordeal> inPairs(List<FaultKind> faults, Random random) {
        List<FaultKind> left = shuffled(faults, random);
        List<Ordeal> ordeals = new ArrayList<>();
        while (!left.isEmpty()) {
            FaultKind first = left.remove(0);
            List<FaultKind> fresh = left.stream().filter(first::goesWith).toList();
            List<FaultKind> others =
                    fresh.isEmpty() ? faults.stream().filter(first::goesWith).toList() : fresh;
            if (others.isEmpty()) {
                ordeals.add(new Ordeal(List.of(first)));
            } else {
                FaultKind second = others.get(random.nextInt(others.size()));
                left.remove(second);
                ordeals.add(first.endsLast() ? new Ordeal(List.of(second, first)) : new Ordeal(List.of(first, second)));
            }
        }
        return ordeals;
    }

    private static List<FaultKind> shuffled(List<FaultKind> faults, Random random) {
        List<FaultKind> all = new ArrayList<>(faults);
        Collections.shuffle(all, random);
        return all;
    }

    String text() {
        return kinds.stream().map(FaultKind::text).collect(Collectors.joining(" + "));
    }

    /** Holds it; returns when all is over. What has begun ends, whatever happens. */
    void hold(Site site, Recorder recorder, Duration hold) {
        try (Held first = new Held(kinds.get(0), site, recorder)) {
            first.begin();
            if (kinds.size() == 1) {
                Polling.sleep(hold.toMillis());
                return;
            }
            Polling.sleep(hold.toMillis() / 2);
            try (Held second = new Held(kinds.get(1), site, recorder)) {
                second.begin();
                Polling.sleep(hold.toMillis() / 2);
                first.end();
                Polling.sleep(hold.toMillis() / 2);
            }
        }
    }

    /** One fault from its beginning to its end, in the history too. */
    private static final class Held implements AutoCloseable {
        private final Recorder.Call call;
        private final Fault fault;
        private boolean isOver;

        Held(FaultKind kind, Site site, Recorder recorder) {
            call = recorder.invoke("harness", Operation.FAULT, kind.text(), Facts.NONE);
            fault = kind.on(site);
        }

        void begin() {
            fault.begin();
        }

        void end() {
            if (!isOver) {
                isOver = true;
                fault.end();
                call.ok();
            }
        }

        @Override
        public void close() {
            end();
        }
    }
}
