package dev.leasehold.bench.lock;

import com.sun.management.OperatingSystemMXBean;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.bench.Bench;
import dev.leasehold.bench.CountingSocketFactory;
import dev.leasehold.bench.Database;
import dev.leasehold.bench.Traffic;
import dev.leasehold.cli.server.Logging;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * One of several JVMs that want the same lock. Spoken to line by line: {@code run NANOS} is answered with a line for every turn, one
 * for every wait that was cut short, and one with what it has cost.
 */
final class HotKeyMain {
    static final String PASSWORD = "LEASEHOLD_BENCH_PASSWORD";
    static final String READY = "ready";
    static final String TURN = "turn ";
    static final String CUT = "cut ";
    static final String COST = "cost ";

    private HotKeyMain() {}

    public static void main(String[] args) throws Exception {
        Logging.quiet();
        LockSystem system = LockSystems.named(args[0]);
        int firstWorker = Integer.parseInt(args[3]);
        int workers = Integer.parseInt(args[4]);
        String password = System.getenv(PASSWORD);
        try (HikariDataSource pool =
                        Database.pool(args[1], args[2], password == null ? "" : password, Bench.CONNECTIONS);
                Locker locker = system.opener().open(pool)) {
            serve(new HotKeyNode(locker, firstWorker, workers));
        }
    }

    private static void serve(HotKeyNode node) throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println(READY);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Traffic before = CountingSocketFactory.counted();
            long cpu = cpuNanos();
            Turns turns = node.run(Duration.ofNanos(Long.parseLong(line)));
            Traffic after = CountingSocketFactory.counted();
            StringBuilder answer = new StringBuilder();
            turns.all().forEach(turn -> answer.append(TURN).append(turn.text()).append('\n'));
            turns.waitsCutShort()
                    .forEach(wait -> answer.append(CUT).append(wait).append('\n'));
            answer.append(COST).append(after.roundTrips() - before.roundTrips()).append(' ');
            answer.append(after.transactions() - before.transactions()).append(' ');
            answer.append(cpuNanos() - cpu);
            System.out.println(answer);
        }
    }

    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
}
