package dev.leasehold.cli.config;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where locks and queues lie.
 *
 * @param dataDir the directory of the embedded database
 * @param embeddedPort where the embedded database listens; zero picks a free port
 * @param stores for {@link Kind#POSTGRES}: the first holds locks and the records of queues, all of them hold partitions; else empty
 * @param poolSize the connections to the embedded database
 * @param migrate whether missing tables are created
 * @param lockView the name of the view that shows locks as LockServiceCentral's table did; null for none
 */
public record Storage(
        Kind kind,
        Path dataDir,
        int embeddedPort,
        List<Store> stores,
        int poolSize,
        boolean migrate,
        @Nullable String lockView) {
    /** What kind of store. */
    public enum Kind {
        EMBEDDED,
        POSTGRES,
        MEMORY
    }

    /**
     * A database where partitions lie.
     *
     * @param affinity its share of the partitions of new queues
     */
    public record Store(String name, int affinity, PostgresUrl url, int poolSize) {}

    public Storage {
        stores = List.copyOf(stores);
    }
}
