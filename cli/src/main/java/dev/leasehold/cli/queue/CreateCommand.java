package dev.leasehold.cli.queue;

import dev.leasehold.cli.verb.ExitStatus;
import dev.leasehold.cli.verb.Output;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.Queues;
import dev.leasehold.spi.GoDuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code leasehold queue create}. */
@Command(
        name = "create",
        description = "Create a queue.",
        footer = {
            "",
            "Example:",
            "  leasehold queue create emails --lease-timeout 2m --max-attempts 5",
            "",
            ExitStatus.HELP
        })
final class CreateCommand extends NamedQueueVerb {
    @Mixin
    private final Settings settings = new Settings();

    @Option(names = "--namespace", paramLabel = "NAME", description = "Whose it is (default: _system).")
    private String namespace = "";

    @Override
    void check() {
        config();
    }

    private QueueConfig config() {
        return settings.applyTo(QueueConfig.named(queueName()).namespace(namespace));
    }

    @Override
    int run(Queues queues, Output output) {
        QueueInfo info = queues.create(config());
        QueueTexts.show(info, output);
        QueueConfig created = info.config();
        note("Successfully created queue '" + created.name() + "' (partitions: " + created.partitions()
                + ", lease-timeout: " + GoDuration.format(created.leaseTimeout()) + ", expire-timeout: "
                + QueueTexts.expiry(created) + (created.hasDeadQueue() ? ", dead-queue: " + created.deadQueue() : "")
                + ")");
        return ExitStatus.OK;
    }
}
