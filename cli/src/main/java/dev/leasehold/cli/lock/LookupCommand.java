package dev.leasehold.cli.lock;

import dev.leasehold.cli.command.CliException;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Output;
import dev.leasehold.cli.command.WatchOption;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.Locks;
import dev.leasehold.server.auth.Permission;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code leasehold lock lookup}. */
@Command(
        name = "lookup",
        description = {
            "Look at the lock of a key, or at the lock with a lock id. Status 75 if nobody holds it.",
            "For diagnosis: it may change hands while one looks."
        },
        footer = {"", "Example:", "  leasehold lock lookup ledger:7", "", ExitStatus.HELP})
final class LookupCommand extends LockSubcommand {
    @Parameters(arity = "0..1", paramLabel = "KEY", description = "The text that names the lock.")
    private @Nullable String key;

    @Option(
            names = "--lock-id",
            parameterConsumer = DashedLockId.class,
            paramLabel = "LOCK_ID",
            description = LockIdArgument.HELP)
    private @Nullable String lockId;

    @Mixin
    private final WatchOption watch = new WatchOption();

    @Override
    int run(Locks locks) {
        return watch.show(format(), output -> run(locks, output));
    }

    @Override
    void check() throws IOException {
        watch.check();
        if ((key == null) == (lockId == null)) {
            throw CliException.usage("Give either a key or --lock-id");
        }
        lockId = lockId == null ? null : LockIdArgument.read(lockId);
        if (key != null) {
            LockKey.of(key);
        }
    }

    @Override
    protected String neededPermission() {
        return key == null
                ? LockPermissions.anywhere(Permission.LOCKS_READ)
                : LockPermissions.inNamespaceOf(key, Permission.LOCKS_READ);
    }

    @Override
    int run(Locks locks, Output output) {
        Optional<LockInfo> lock =
                lockId != null ? locks.byLockId().get(lockId) : locks.getByKey(key == null ? "" : key);
        output.answer(
                LockJson.lookup(lock),
                () -> lock.ifPresentOrElse(found -> output.fields(fields(found)), () -> output.text("free")));
        return lock.isPresent() ? ExitStatus.OK : ExitStatus.NOT_NOW;
    }

    private static Map<String, String> fields(LockInfo lock) {
        Map<String, String> fields = new LinkedHashMap<>();
        lock.holder().ifPresent(holder -> {
            fields.put("holder", holder.owner());
            fields.put("instance", holder.instanceId());
        });
        fields.put("fence", lock.fence().toString());
        fields.put("acquired", Output.momentAndAge(lock.acquiredAt()));
        fields.put("expires", Output.momentAndAge(lock.expiresAt()));
        return fields;
    }
}
