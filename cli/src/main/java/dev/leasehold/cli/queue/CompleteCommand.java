package dev.leasehold.cli.queue;

import dev.leasehold.cli.verb.ExitStatus;
import dev.leasehold.cli.verb.Output;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.item.ItemQueue;
import picocli.CommandLine.Command;

/** {@code leasehold queue complete}. */
@Command(
        name = "complete",
        description =
                "Complete leased items: they are gone. If one id is wrong, nothing happens to the 1000 it is sent with.",
        footer = {
            "",
            "Example:",
            "  leasehold queue complete emails --partition 0 2f0kKDzXDqLYxyZWhvZFSJdDDdb",
            "",
            ExitStatus.HELP
        })
final class CompleteCommand extends ItemsVerb {
    @Override
    int run(Queues queues, Output output) {
        ItemQueue queue = queues.queue(queueName());
        batches().forEach(ids -> queue.complete(partition(), ids));
        output.answer(QueueDocuments.count(queueName(), partition(), count()), () -> {});
        note(done(count(), queueName(), partition()));
        return ExitStatus.OK;
    }

    static String done(int count, String queue, int partition) {
        return "Successfully completed " + count + " item(s) in queue '" + queue + "' partition " + partition;
    }
}
