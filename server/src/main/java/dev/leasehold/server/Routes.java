package dev.leasehold.server;

import dev.leasehold.lock.Locks;
import dev.leasehold.queue.Queues;
import dev.leasehold.server.http.Family;
import dev.leasehold.server.http.Handler;
import dev.leasehold.server.http.Route;
import dev.leasehold.server.lock.LockDoor;
import dev.leasehold.server.lock.LockFamily;
import java.util.ArrayList;
import java.util.List;

/** The list of routes: every path that the server answers, with its family and what its body may weigh. */
final class Routes {
    private static final int LOCK_BODY = 65_536;

    private final List<Route> routes = new ArrayList<>();

    Routes(ServerOptions options, Locks<?> locks, Queues queues) {
        LockDoor lock = new LockDoor(locks);
        LockFamily lockFamily = new LockFamily();
        post("/v1/lock.acquire", lockFamily, LOCK_BODY, lock::acquire);
        post("/v1/lock.release", lockFamily, LOCK_BODY, lock::release);
        post("/v1/lock.extend", lockFamily, LOCK_BODY, lock::extend);
        post("/v1/lock.is_locked", lockFamily, LOCK_BODY, lock::isLocked);
        post("/v1/lock.lookup", lockFamily, LOCK_BODY, lock::lookup);
        post("/v1/lock.list", lockFamily, LOCK_BODY, lock::list);
        post("/v1/lock.force_release", lockFamily, LOCK_BODY, lock::forceRelease);
    }

    private void post(String path, Family family, int bodyLimit, Handler handler) {
        String operation = path.substring("/v1/".length()).replace('/', '.');
        routes.add(new Route("POST", path, operation, family, bodyLimit, false, handler));
    }

    List<Route> all() {
        return List.copyOf(routes);
    }

    /** Answers posts to paths that nobody knows. */
    Route unknownPost() {
        return routes.get(0);
    }

    /** Answers everything else that nobody knows. */
    Route unknown() {
        return routes.get(0);
    }
}
