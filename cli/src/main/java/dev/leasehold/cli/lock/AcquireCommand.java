package dev.leasehold.cli.lock;

import dev.leasehold.cli.verb.ExitStatus;
import dev.leasehold.cli.verb.Futures;
import dev.leasehold.cli.verb.Output;
import dev.leasehold.cli.verb.VerbException;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.Locks;
import dev.leasehold.lock.direct.LockGrant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code leasehold lock acquire}: takes a lock and leaves it held until it is released or its time is over. */
@Command(
        name = "acquire",
        description = {
            "Acquire a lock and print its lock id, fence and expiry.",
            "Nothing renews it: extend it in time, or use 'leasehold lock run'. The lock id is a secret: who has it can"
                    + " release the lock."
        },
        footer = {"", "Example:", "  leasehold lock acquire ledger:7 --ttl 5m --wait 30s", "", ExitStatus.HELP})
final class AcquireCommand extends LockVerb {
    @Parameters(paramLabel = "KEY", description = "The text that names the lock.")
    private String key = "";

    @Mixin
    private final Wanted wanted = new Wanted();

    @Option(names = "--owner", paramLabel = "NAME", description = "Who acquires it; needs --instance-id too.")
    private @Nullable String owner;

    @Option(
            names = "--instance-id",
            paramLabel = "ID",
            description = "Which instance of the owner; the same holder gets the same grant again.")
    private @Nullable String instanceId;

    @Override
    void check() {
        if ((owner == null) != (instanceId == null)) {
            throw VerbException.usage("--owner and --instance-id belong together: give both or neither");
        }
        request();
    }

    @Override
    int run(Locks locks, Output output) {
        Optional<LockGrant> grant = Futures.await(locks.async().grant(request()));
        grant.ifPresentOrElse(
                granted -> output.answer(LockDocuments.of(granted), () -> output.fields(fields(granted))), () -> {
                    output.answer(LockDocuments.notGranted(), () -> {});
                    note("Others hold the lock '" + key + "'");
                });
        return grant.isPresent() ? ExitStatus.OK : ExitStatus.NOT_NOW;
    }

    private AcquireRequest request() {
        AcquireRequest request = wanted.request(key);
        return owner == null ? request : request.holder(Holder.of(owner, instanceId));
    }

    private static Map<String, String> fields(LockGrant grant) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("lock id", grant.lockId().value());
        fields.put("fence", grant.fence().toString());
        fields.put("expires", Output.moment(grant.expiresAt()));
        return fields;
    }
}
