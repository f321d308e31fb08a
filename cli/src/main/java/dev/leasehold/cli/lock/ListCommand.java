package dev.leasehold.cli.lock;

import dev.leasehold.cli.verb.ExitStatus;
import dev.leasehold.cli.verb.Futures;
import dev.leasehold.cli.verb.Output;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.Locks;
import dev.leasehold.lock.admin.ListedLock;
import dev.leasehold.lock.admin.LockListing;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code leasehold lock list}. */
@Command(
        name = "list",
        description = "List the locks that are held, by key. Over HTTP this needs the permission locks.admin.",
        footer = {"", "Example:", "  leasehold lock list --prefix billing: --limit 20", "", ExitStatus.HELP})
final class ListCommand extends LockVerb {
    private static final List<String> HEADER = List.of("KEY", "FENCE", "OWNER", "INSTANCE ID", "ACQUIRED", "EXPIRES");

    @Option(names = "--prefix", paramLabel = "TEXT", description = "Only keys that begin with it.")
    private String prefix = "";

    @Option(names = "--pivot", paramLabel = "KEY", description = "The first key, or the next one if it is not there.")
    private String pivot = "";

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "How many at most, up to 1000 (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Override
    void check() {
        listing();
    }

    private LockListing listing() {
        return new LockListing(prefix, pivot, limit);
    }

    @Override
    int run(Locks locks, Output output) {
        List<ListedLock> found = Futures.await(locks.admin().list(listing()));
        output.answer(
                LockDocuments.list(found),
                () -> output.table(HEADER, found.stream().map(ListCommand::row).toList()));
        note("Found " + found.size() + " lock(s)");
        return ExitStatus.OK;
    }

    private static List<String> row(ListedLock lock) {
        Holder holder = lock.holder();
        return List.of(
                lock.key().value(),
                lock.fence().toString(),
                Output.orNothing(holder == null ? null : holder.owner()),
                Output.orNothing(holder == null ? null : holder.instanceId()),
                Output.moment(lock.acquiredAt()),
                Output.moment(lock.expiresAt()));
    }
}
