package dev.leasehold.chaos.workload;

import dev.leasehold.chaos.history.Journal;
import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.chaos.site.Urls;
import dev.leasehold.cli.server.Logging;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A client of the run, in a JVM of its own: {@code ClientMain <workloads> <node> <prefix> <seed> <journal> <servers>}. It works until
 * its input ends, and then says what it has not given back.
 */
public final class ClientMain {
    /** What it prints when it has begun to work. */
    public static final String READY = "client ready";

    /** What it prints when all is closed: the memory that is still used. */
    public static final Pattern USED = Pattern.compile("client used (\\d+) MB");

    /** What it prints in the end if nothing of Leasehold is left. */
    public static final String CLEAN = "client clean";

    /** What tells when the place moves where leases of a partition begin. */
    private static final String LEASE_STARTS = "dev.leasehold.postgres.queue.LeaseCursor";

    private static volatile boolean isOver;

    private ClientMain() {}

    public static void main(String[] args) throws Exception {
        Logging.quiet();
        Logging.debug(LEASE_STARTS);
        List<URI> servers = Arrays.stream(args[5].split(","))
                .filter(text -> !text.isEmpty())
                .map(URI::create)
                .toList();
        long seed = Long.parseLong(args[3]);
        try (Journal journal = Journal.writingTo(Path.of(args[4]));
                ClientAccess access = ClientAccess.open(Urls.fromEnvironment(), servers, seed % 2 == 0)) {
            Client client = new Client(
                    args[1],
                    args[2],
                    new Recorder(journal, args[1]),
                    access.locks(),
                    access.impatient(),
                    access.queues(),
                    access.business(),
                    () -> isOver,
                    seed);
            work(workers(args[0], client));
        }
        tellWhatIsLeft();
        System.exit(0); // whatever is left, the harness has been told
    }

    private static List<Worker> workers(String workloads, Client client) {
        return Arrays.stream(workloads.split(","))
                .flatMap(workload -> Workload.of(workload).workers(client).stream())
                .toList();
    }

    private static void work(List<Worker> workers) throws InterruptedException, IOException {
        List<Thread> threads = new ArrayList<>();
        for (Worker worker : workers) {
            Thread thread = new Thread(worker, worker.name);
            thread.setUncaughtExceptionHandler((t, e) -> {
                e.printStackTrace();
                Runtime.getRuntime().halt(70); // a worker that dies is a bug of ours or of Leasehold's: say so
            });
            thread.start();
            threads.add(thread);
        }
        System.out.println(READY);
        System.in.readAllBytes(); // until the harness hangs up
        isOver = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Threads of Leasehold that are left some seconds after everything was closed, and the memory that is. */
    private static void tellWhatIsLeft() throws InterruptedException {
        List<String> left = threads();
        for (int i = 0; i < 100 && !left.isEmpty(); i++) {
            TimeUnit.MILLISECONDS.sleep(100);
            left = threads();
        }
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        long megabytes = (runtime.totalMemory() - runtime.freeMemory()) / 1_000_000;
        System.out.println("client used " + megabytes + " MB");
        System.out.println(left.isEmpty() ? CLEAN : "client left threads " + left);
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("leasehold") || name.startsWith("Hikari"))
                .filter(name -> !name.contains("-callback-")) // these end by themselves, a minute later
                .sorted()
                .toList();
    }
}
