package dev.leasehold.cli.lock;

import dev.leasehold.cli.verb.DurationArgument;
import dev.leasehold.lock.AcquireRequest;
import java.time.Duration;
import picocli.CommandLine.Option;

/** For how long a lock is wanted, and how long its key may be waited for. */
final class Wanted {
    @Option(
            names = "--ttl",
            paramLabel = "DURATION",
            converter = DurationArgument.class,
            defaultValue = "30s",
            description = "How long the lock is held if nobody renews or releases it (default: ${DEFAULT-VALUE}).")
    private Duration ttl = Duration.ZERO;

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            converter = DurationArgument.class,
            defaultValue = "0s",
            description = "How long to wait while others hold it (default: ${DEFAULT-VALUE}).")
    private Duration wait = Duration.ZERO;

    AcquireRequest request(String key) {
        return AcquireRequest.of(key).ttl(ttl).waitFor(wait);
    }
}
