package dev.leasehold.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;

/**
 * What has been spent so far; the difference of two is what a run has spent.
 *
 * @param databaseCpuNanos negative if it cannot be seen
 */
record Counters(long walBytes, long transactionIds, Traffic traffic, long clientCpuNanos, long databaseCpuNanos) {
    static Counters now(Database database) throws SQLException {
        return new Counters(
                database.walBytes(),
                database.nextTransactionId(),
                CountingSocketFactory.counted(),
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime(),
                database.cpuNanos().orElse(-1));
    }

    Counters since(Counters before, Recorder recorder) {
        return new Counters(
                walBytes - before.walBytes,
                transactionIds - before.transactionIds,
                traffic.minus(before.traffic).plus(recorder.trafficElsewhere()),
                clientCpuNanos - before.clientCpuNanos + recorder.cpuElsewhereNanos(),
                databaseCpuNanos < 0 ? -1 : databaseCpuNanos - before.databaseCpuNanos);
    }
}
