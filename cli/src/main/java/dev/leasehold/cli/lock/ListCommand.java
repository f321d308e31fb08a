package dev.leasehold.cli.lock;

import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Futures;
import dev.leasehold.cli.command.Output;
import dev.leasehold.cli.command.WatchOption;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.Locks;
import dev.leasehold.lock.admin.ListedLock;
import dev.leasehold.lock.admin.LockListing;
import dev.leasehold.server.auth.Permission;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code leasehold lock list}. */
@Command(
        name = "list",
        description = "List the locks that are held, by key. Over HTTP this needs the permission locks.admin.",
        footer = {"", "Example:", "  leasehold lock list --prefix billing: --limit 20", "", ExitStatus.HELP})
final class ListCommand extends LockSubcommand {
    private static final List<String> HEADER = List.of("KEY", "FENCE", "HOLDER", "INSTANCE", "ACQUIRED", "EXPIRES");

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

    @Mixin
    private final WatchOption watch = new WatchOption();

    @Override
    void check() {
        watch.check();
        listing();
    }

    @Override
    int run(Locks locks) {
        return watch.show(format(), output -> run(locks, output));
    }

    private LockListing listing() {
        return new LockListing(prefix, pivot, limit);
    }

    @Override
    protected String neededPermission() {
        return LockPermissions.underPrefix(prefix, Permission.LOCKS_ADMIN);
    }

    @Override
    int run(Locks locks, Output output) {
        List<ListedLock> found = Futures.await(locks.admin().list(listing()));
        output.answer(
                LockJson.list(found),
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
                Output.age(lock.acquiredAt()),
                Output.age(lock.expiresAt()));
    }
}
