package dev.leasehold.chaos.workload;

import dev.leasehold.queue.admin.ClearRequest;
import java.util.ArrayList;
import java.util.List;

/** Creates, changes, clears and deletes queues, imports into them, and looks which there are, while others do the same. */
final class AdminWorker extends Worker {
    private final AdminCalls calls;
    private final AdminQueues queues;

    AdminWorker(Client client, int number, AdminQueues queues) {
        super(client, "admin", number, 60);
        this.calls = new AdminCalls(client, name);
        this.queues = queues;
    }

    @Override
    void turn() {
        String queue = chance(30) ? queues.kept(random) : queues.fleeting(random);
        int dice = random.nextInt(100);
        if (dice < 25) {
            calls.create(queues.config(queue, random));
        } else if (dice < 40) {
            calls.create(queues.deadConfig(queues.dead(random)));
        } else if (dice < 60) {
            calls.update(queues.config(queue, random));
        } else if (dice < 70) {
            calls.delete(queues.dead(random));
        } else if (dice < 80) {
            calls.delete(queues.fleeting(random));
        } else if (dice < 85) {
            calls.clear(queues.fleeting(random), new ClearRequest(true, chance(50), chance(50)));
        } else if (dice < 93) {
            calls.importItems(queue, names());
        } else {
            calls.list(AdminQueues.names(client.prefix()));
        }
    }

    private List<String> names() {
        List<String> names = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            names.add(unique());
        }
        return names;
    }
}
