package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Output;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.item.ItemQueue;
import picocli.CommandLine.Command;

/** {@code leasehold queue complete}. */
@Command(
        name = "complete",
        description =
                "Complete leased items: they are deleted. If one id is wrong, nothing happens to the 1000 it is sent with.",
        footer = {
            "",
            "Example:",
            "  leasehold queue complete emails --partition 0 2f0kKDzXDqLYxyZWhvZFSJdDDdb",
            "",
            ExitStatus.HELP
        })
final class CompleteCommand extends LeasedItemsSubcommand {
    @Override
    int run(Queues queues, Output output) {
        ItemQueue queue = queues.queue(queueName());
        batches().forEach(ids -> queue.complete(partition(), ids));
        return done("completed", output);
    }
}
