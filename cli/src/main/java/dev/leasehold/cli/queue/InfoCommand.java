package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Output;
import dev.leasehold.queue.Queues;
import picocli.CommandLine.Command;

/** {@code leasehold queue info}. */
@Command(
        name = "info",
        description = "Show what a queue was told.",
        footer = {"", "Example:", "  leasehold queue info emails", "", ExitStatus.HELP})
final class InfoCommand extends OneQueueSubcommand {
    @Override
    int run(Queues queues, Output output) {
        QueueFields.show(queues.info(queueName()), output);
        return ExitStatus.OK;
    }
}
