package dev.leasehold.chaos.workload;

import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.chaos.workload.OtherClient.Acquired;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.LockId;
import java.sql.SQLException;
import java.util.Optional;

/** Takes the locks that {@link ChurnWorker} takes, as a SyncGuard client does on the same tables. */
final class OtherClientWorker extends Worker {
    private final OtherClient other;

    OtherClientWorker(Client client, int number) {
        super(client, "other", number, 30);
        this.other = new OtherClient(client.business());
    }

    @Override
    void turn() {
        String key = client.prefix() + "lock-" + random.nextInt(ChurnWorker.KEYS);
        Recorder.Call call = client.recorder().invoke(name, Operation.ACQUIRE, key, Facts.lasts(ChurnWorker.TTL));
        try {
            Optional<Acquired> acquired = other.acquire(key, ChurnWorker.TTL, random.nextInt(10));
            if (acquired.isEmpty()) {
                call.fail("locked");
                return;
            }
            LockId lockId = LockId.of(acquired.get().lockId());
            Facts grant = Facts.grant(lockId, Fence.of(acquired.get().fence()));
            call.ok(grant);
            pause(random.nextInt(15));
            release(key, lockId, grant);
        } catch (SQLException e) {
            call.unknown(String.valueOf(e.getSQLState()));
            pause(20);
        }
    }

    private void release(String key, LockId lockId, Facts grant) {
        Recorder.Call call = client.recorder().invoke(name, Operation.RELEASE, key, grant);
        try {
            if (other.release(lockId.value())) {
                call.ok();
            } else {
                call.fail("gone");
            }
        } catch (SQLException e) {
            call.unknown(String.valueOf(e.getSQLState()));
        }
    }
}
