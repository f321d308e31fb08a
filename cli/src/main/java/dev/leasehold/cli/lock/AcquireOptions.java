package dev.leasehold.cli.lock;

import dev.leasehold.cli.command.CliException;
import dev.leasehold.cli.command.DurationConverter;
import dev.leasehold.cli.command.Target;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.Holder;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a lock is acquired: for how long, how long to wait for it, and in whose name. */
final class AcquireOptions {
    private static final int INSTANCE_LENGTH = 8;

    @Option(
            names = "--ttl",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            defaultValue = "30s",
            description = "How long the lock is held if nobody renews or releases it (default: ${DEFAULT-VALUE}).")
    private Duration ttl = Duration.ZERO;

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            defaultValue = "0s",
            description = "How long to wait while others hold it (default: ${DEFAULT-VALUE}).")
    private Duration wait = Duration.ZERO;

    @Option(
            names = "--owner",
            paramLabel = "NAME",
            description =
                    "Who holds it, as lookup and list show (default: user@host:pid; with a token: nobody is named).")
    private @Nullable String owner;

    @Option(
            names = "--instance-id",
            paramLabel = "ID",
            description =
                    "Which instance of the owner; the same holder gets the same grant again (default: a random one).")
    private @Nullable String instanceId;

    @Option(names = "--anonymous", description = "Name no holder.")
    private boolean anonymous;

    void check() {
        if (instanceId != null && owner == null) {
            throw CliException.usage("--instance-id needs --owner beside it");
        }
        if (anonymous && owner != null) {
            throw CliException.usage("--anonymous and --owner exclude each other: give one of them");
        }
    }

    AcquireRequest request(String key, Target target) {
        AcquireRequest request = AcquireRequest.of(key).ttl(ttl).waitFor(wait);
        return holder(target).map(request::holder).orElse(request);
    }

    /** A server that asks for a token names the owner itself, and refuses any other. */
    private Optional<Holder> holder(Target target) {
        if (owner != null) {
            return Optional.of(Holder.of(owner, instanceId == null ? randomId() : instanceId));
        }
        return anonymous || target.hasToken() ? Optional.empty() : Optional.of(Holder.of(thisProcess(), randomId()));
    }

    private static String thisProcess() {
        return System.getProperty("user.name") + "@" + host() + ":"
                + ProcessHandle.current().pid();
    }

    /** A process id can come again, in a container soon: this keeps one process from getting the grant of another. */
    private static String randomId() {
        return UUID.randomUUID().toString().substring(0, INSTANCE_LENGTH);
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
