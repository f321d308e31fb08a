package dev.leasehold.chaos.workload;

import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.Locks;
import dev.leasehold.queue.Queues;
import java.util.List;
import javax.sql.DataSource;

/** The workers of the workload who administer queues and use them, one turn at a time, for tests of other packages. */
public final class AdminTurns {
    private AdminTurns() {}

    /** A turn of each. */
    @SuppressWarnings("NullAway") // queues are all they use
    public static List<Runnable> of(String node, Queues queues, Recorder recorder, long seed) {
        Locks<? extends HeldLock> noLocks = null;
        DataSource noBusiness = null;
        Client client = new Client(node, "t-", recorder, noLocks, noLocks, queues, noBusiness, () -> false, seed);
        return Workload.administration(client).stream()
                .<Runnable>map(worker -> worker::turn)
                .toList();
    }
}
