package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Output;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.item.ItemQueue;
import picocli.CommandLine.Command;

/** {@code leasehold queue give-back}. */
@Command(
        name = "give-back",
        description = {
            "Give back leased items that were not begun. They keep their place, and the attempt does not count.",
            "For items that were begun, see 'leasehold queue retry'."
        },
        footer = {
            "",
            "Example:",
            "  leasehold queue give-back emails --partition 0 2f0kKDzXDqLYxyZWhvZFSJdDDdb",
            "",
            ExitStatus.HELP
        })
final class GiveBackCommand extends LeasedItemsSubcommand {
    @Override
    int run(Queues queues, Output output) {
        ItemQueue queue = queues.queue(queueName());
        batches().forEach(ids -> queue.giveBack(partition(), ids));
        return done("given back", output);
    }
}
