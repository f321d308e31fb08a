package dev.leasehold.cli.lock;

import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Futures;
import dev.leasehold.cli.command.Output;
import dev.leasehold.lock.Locks;
import dev.leasehold.lock.direct.LockGrant;
import dev.leasehold.server.auth.Permission;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code leasehold lock acquire}: acquires a lock and leaves it held until it is released or expires. */
@Command(
        name = "acquire",
        description = {
            "Acquire a lock and print its lock id, fence and expiry.",
            "Nothing renews it: extend it in time, or use 'leasehold lock run'. The lock id is a secret: who has it can"
                    + " release the lock."
        },
        footer = {"", "Example:", "  leasehold lock acquire ledger:7 --ttl 5m --wait 30s", "", ExitStatus.HELP})
final class AcquireCommand extends LockSubcommand {
    @Parameters(paramLabel = "KEY", description = "The text that names the lock.")
    private String key = "";

    @Mixin
    private final AcquireOptions options = new AcquireOptions();

    @Override
    void check() {
        options.check();
        options.request(key, target());
    }

    @Override
    protected String neededPermission() {
        return LockPermissions.inNamespaceOf(key, Permission.LOCKS_WRITE);
    }

    @Override
    int run(Locks locks, Output output) {
        Optional<LockGrant> grant = Futures.await(locks.async().grant(options.request(key, target())));
        grant.ifPresentOrElse(
                granted -> output.answer(LockJson.of(granted), () -> output.fields(fields(granted))), () -> {
                    output.answer(LockJson.notGranted(), () -> {});
                    note("Others hold the lock '" + key + "'");
                });
        return grant.isPresent() ? ExitStatus.OK : ExitStatus.NOT_NOW;
    }

    private static Map<String, String> fields(LockGrant grant) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("lock id", grant.lockId().value());
        fields.put("fence", grant.fence().toString());
        fields.put("expires", Output.momentAndAge(grant.expiresAt()));
        return fields;
    }
}
