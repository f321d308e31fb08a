package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.CliException;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Output;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.QueueUpdate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code leasehold queue update}. */
@Command(
        name = "update",
        description = "Change a queue. What is not given stays as it is.",
        footer = {"", "Example:", "  leasehold queue update emails --max-attempts 10", "", ExitStatus.HELP})
final class UpdateCommand extends OneQueueSubcommand {
    @Mixin
    private final QueueConfigOptions settings = new QueueConfigOptions();

    @Override
    void check() {
        if (settings.isEmpty()) {
            throw CliException.usage("no update flags provided (use --help to see available options)");
        }
    }

    @Override
    int run(Queues queues, Output output) {
        QueueConfig present = queues.info(queueName()).config();
        QueueFields.show(queues.update(QueueUpdate.to(settings.applyTo(present))), output);
        note("Successfully updated queue '" + queueName() + "'");
        return ExitStatus.OK;
    }
}
