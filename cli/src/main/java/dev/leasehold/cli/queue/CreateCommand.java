package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Output;
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
final class CreateCommand extends OneQueueSubcommand {
    @Mixin
    private final QueueConfigOptions settings = new QueueConfigOptions();

    @Option(names = "--namespace", paramLabel = "NAME", description = "Whose it is (default: _system).")
    private String namespace = "";

    @Override
    String namespaceForPeople() {
        return named(namespace);
    }

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
        QueueFields.show(info, output);
        QueueConfig created = info.config();
        note("Successfully created queue '" + created.name() + "' (partitions: " + created.partitions()
                + ", lease-timeout: " + GoDuration.format(created.leaseTimeout()) + ", expire-timeout: "
                + QueueFields.expiry(created) + (created.hasDeadQueue() ? ", dead-queue: " + created.deadQueue() : "")
                + ")");
        return ExitStatus.OK;
    }
}
