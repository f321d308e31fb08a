package dev.leasehold.chaos;

import dev.leasehold.chaos.fault.FaultKind;
import dev.leasehold.chaos.workload.Workload;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * What one round does.
 *
 * @param access how clients reach locks and queues
 * @param faults what goes wrong, each in its turn, in an order that the seed decides
 * @param pairs whether two faults overlap at any time
 * @param atLeast how long the round goes on; every fault has its turn once at least
 * @param hold how long a fault lasts
 * @param recovery how long it may take after a fault until calls of every client succeed again, and often enough
 * @param enough what part of the rate before that is; 0 if the rate does not matter
 * @param served within what time whoever waits must be served while nothing goes wrong; 0 if that does not matter
 */
record Plan(
        Set<Workload> workloads,
        Access access,
        List<FaultKind> faults,
        boolean pairs,
        long seed,
        Duration atLeast,
        Duration hold,
        Duration recovery,
        double enough,
        Duration served) {
    Plan {
        workloads = Set.copyOf(workloads);
        faults = List.copyOf(faults);
    }

    Plan seed(long other) {
        return new Plan(workloads, access, faults, pairs, other, atLeast, hold, recovery, enough, served);
    }

    Plan lasting(Duration other) {
        return new Plan(workloads, access, faults, pairs, seed, other, hold, recovery, enough, served);
    }

    /** What goes wrong in one pass, one after the other: every fault at least once. */
    List<Ordeal> ordeals(Random random) {
        return pairs ? Ordeal.inPairs(faults, random) : Ordeal.oneByOne(faults, random);
    }

    /** How clients reach locks and queues. */
    enum Access {
        /** The library, in every client. */
        LIBRARY(0),
        /** Over HTTP, in every client. */
        HTTP(2),
        /** Both, on the same keys and queues. */
        MIXED(1);

        private final int servers;

        Access(int servers) {
            this.servers = servers;
        }

        /** The one of that name. */
        static Access of(String text) {
            return Arrays.stream(values())
                    .filter(access -> access.name().equalsIgnoreCase(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "--access is one of library, http and mixed, got '" + text + "'"));
        }

        int servers() {
            return servers;
        }

        /** Whether the client of that number goes over HTTP. */
        boolean isHttp(int client) {
            return this == HTTP || (this == MIXED && client == 2);
        }
    }

    /** What the checker may hold against a run with these faults. */
    FaultKind.Promise promise() {
        return faults.stream()
                .map(FaultKind::promise)
                .max(Comparator.naturalOrder())
                .orElse(FaultKind.Promise.ALL);
    }
}
