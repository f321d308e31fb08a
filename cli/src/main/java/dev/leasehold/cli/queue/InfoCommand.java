package dev.leasehold.cli.queue;

import dev.leasehold.cli.verb.ExitStatus;
import dev.leasehold.cli.verb.Output;
import dev.leasehold.queue.Queues;
import picocli.CommandLine.Command;

/** {@code leasehold queue info}. */
@Command(
        name = "info",
        description = "Show what a queue was told.",
        footer = {"", "Example:", "  leasehold queue info emails", "", ExitStatus.HELP})
final class InfoCommand extends NamedQueueVerb {
    @Override
    int run(Queues queues, Output output) {
        QueueTexts.show(queues.info(queueName()), output);
        return ExitStatus.OK;
    }
}
