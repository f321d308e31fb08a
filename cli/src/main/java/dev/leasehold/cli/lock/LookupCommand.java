package dev.leasehold.cli.lock;

import dev.leasehold.cli.verb.ExitStatus;
import dev.leasehold.cli.verb.Output;
import dev.leasehold.cli.verb.VerbException;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.Locks;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
final class LookupCommand extends LockVerb {
    @Parameters(arity = "0..1", paramLabel = "KEY", description = "The text that names the lock.")
    private @Nullable String key;

    @Option(
            names = "--lock-id",
            parameterConsumer = DashedLockId.class,
            paramLabel = "LOCK_ID",
            description = LockIdArgument.HELP)
    private @Nullable String lockId;

    @Override
    void check() throws IOException {
        if ((key == null) == (lockId == null)) {
            throw VerbException.usage("Give either a key or --lock-id");
        }
        lockId = lockId == null ? null : LockIdArgument.read(lockId);
        if (key != null) {
            LockKey.of(key);
        }
    }

    @Override
    int run(Locks locks, Output output) {
        Optional<LockInfo> lock =
                lockId != null ? locks.byLockId().get(lockId) : locks.getByKey(key == null ? "" : key);
        output.answer(
                LockDocuments.lookup(lock),
                () -> lock.ifPresentOrElse(found -> output.fields(fields(found)), () -> output.text("free")));
        return lock.isPresent() ? ExitStatus.OK : ExitStatus.NOT_NOW;
    }

    private static Map<String, String> fields(LockInfo lock) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("fence", lock.fence().toString());
        fields.put("acquired", Output.moment(lock.acquiredAt()));
        fields.put("expires", Output.moment(lock.expiresAt()));
        lock.holder().ifPresent(holder -> {
            fields.put("owner", holder.owner());
            fields.put("instance id", holder.instanceId());
        });
        return fields;
    }
}
