package dev.leasehold.chaos.workload;

import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.lock.Locks;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.Queues;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** The workers of the workload who administer queues and use them, one turn at a time, for tests of other packages. */
public final class AdminTurns {
    private AdminTurns() {}

    /** A turn of each. */
    public static List<Runnable> of(String node, Queues queues, Recorder recorder, long seed) {
        return Workload.administration(client(node, queues, recorder, seed)).stream()
                .<Runnable>map(worker -> worker::turn)
                .toList();
    }

    /** A turn in which one node names a dead queue while another deletes it. */
    public static Runnable race(Queues naming, Recorder namer, Queues deleting, Recorder deleter) {
        AdminCalls names = new AdminCalls(client("naming", naming, namer, 1), "race-names");
        AdminCalls deletes = new AdminCalls(client("deleting", deleting, deleter, 2), "race-deletes");
        AtomicInteger turns = new AtomicInteger();
        return () -> {
            String queue = "t-race-" + turns.incrementAndGet();
            String dead = queue + "-dead";
            names.create(QueueConfig.named(dead));
            names.create(QueueConfig.named(queue));
            CompletableFuture<Void> deletion = CompletableFuture.runAsync(() -> deletes.delete(dead));
            names.update(QueueConfig.named(queue).deadQueue(dead));
            deletion.join();
        };
    }

    @SuppressWarnings("NullAway") // queues are all they use
    private static Client client(String node, Queues queues, Recorder recorder, long seed) {
        Locks noLocks = null;
        DataSource noBusiness = null;
        return new Client(node, "t-", recorder, noLocks, noLocks, queues, noBusiness, () -> false, seed);
    }
}
