package dev.leasehold.server.http;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.leasehold.server.ServerOptions.Limits;
import java.lang.management.ManagementFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How many connections this process can have: each is an open file, and may send a whole head before it is known. */
final class ConnectionLimit {
    private static final Logger log = LoggerFactory.getLogger(ConnectionLimit.class);

    /** Files for the database, the libraries, the log, and whatever else this process opens. */
    private static final long OTHER_FILES = 256;

    /** The part of the heap that heads may take: one of this many. */
    private static final int HEAP_SHARE = 2;

    private ConnectionLimit() {}

    /** The limit of connections, lowered to what is possible; a warning says so. */
    static int of(Limits limits) {
        long files = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : -1;
        return of(limits, files, Runtime.getRuntime().maxMemory());
    }

    /** @param files how many files the process may open; not positive: any number */
    static int of(Limits limits, long files, long heap) {
        int byFiles = lowered(
                limits.connections(),
                files <= 0 ? Long.MAX_VALUE : files - OTHER_FILES,
                "this process may open " + files + " files only: raise that with ulimit -n or LimitNOFILE");
        return lowered(
                byFiles,
                heap / HEAP_SHARE / limits.headerBytes(),
                "a heap of " + (heap >> 20) + " MB has no room for the heads of more requests: raise -Xmx");
    }

    private static int lowered(int wanted, long possible, String why) {
        if (wanted <= possible) {
            return wanted;
        }
        int limit = (int) Math.max(1, possible);
        log.warn("limits.connections is lowered from {} to {}, because {}", wanted, limit, why);
        return limit;
    }
}
