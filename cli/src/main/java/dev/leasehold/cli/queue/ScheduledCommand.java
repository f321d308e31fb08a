package dev.leasehold.cli.queue;

import dev.leasehold.cli.verb.ExitStatus;
import dev.leasehold.cli.verb.Output;
import dev.leasehold.queue.ItemListing;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.StoredItem;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code leasehold queue scheduled}. */
@Command(
        name = "scheduled",
        description =
                "Show the items of a partition that become ready later, in the order in which they were produced.",
        footer = {"", "Example:", "  leasehold queue scheduled emails --partition 0 --limit 20", "", ExitStatus.HELP})
final class ScheduledCommand extends NamedQueueVerb {
    private static final List<String> HEADER =
            List.of("ID", "ATTEMPTS", "READY AT", "EXPIRES", "KIND", "REFERENCE", "PAYLOAD");

    @Mixin
    private final Page page = new Page();

    @Override
    void check() {
        page.listing();
    }

    @Override
    int run(Queues queues, Output output) {
        ItemListing listing = page.listing();
        List<StoredItem> items = queues.queue(queueName()).listScheduled(listing);
        output.answer(
                QueueDocuments.items(queueName(), listing.partition(), items),
                () -> output.table(
                        HEADER, items.stream().map(ScheduledCommand::row).toList()));
        note("Found " + items.size() + " item(s)");
        return ExitStatus.OK;
    }

    private static List<String> row(StoredItem item) {
        return List.of(
                String.valueOf(item.id()),
                Integer.toString(item.attempts()),
                Output.moment(item.enqueueAt()),
                Output.moment(item.expireDeadline()),
                Output.orNothing(item.kind()),
                Output.orNothing(item.reference()),
                Output.preview(item.payload()));
    }
}
