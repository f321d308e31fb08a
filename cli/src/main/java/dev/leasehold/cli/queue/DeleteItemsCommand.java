package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Output;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.item.ItemQueue;
import picocli.CommandLine.Command;

/** {@code leasehold queue delete-items}. */
@Command(
        name = "delete-items",
        description = {
            "Delete items, leased or not. Ids that are not there are ignored.",
            "'leasehold queue items' shows the ids. Who works on a leased item is not stopped."
        },
        footer = {
            "",
            "Example:",
            "  leasehold queue delete-items emails --partition 0 2f0kKDzXDqLYxyZWhvZFSJdDDdb",
            "",
            ExitStatus.HELP
        })
final class DeleteItemsCommand extends LeasedItemsSubcommand {
    @Override
    int run(Queues queues, Output output) {
        ItemQueue queue = queues.queue(queueName());
        batches().forEach(ids -> queue.admin().delete(partition(), ids));
        return done("deleted", output);
    }
}
