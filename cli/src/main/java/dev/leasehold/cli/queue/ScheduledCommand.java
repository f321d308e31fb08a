package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemQueue;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code leasehold queue scheduled}. */
@Command(
        name = "scheduled",
        description =
                "Show the items of a partition that become ready later, in the order in which they were produced.",
        footer = {"", "Example:", "  leasehold queue scheduled emails --partition 0 --limit 20", "", ExitStatus.HELP})
final class ScheduledCommand extends ItemListSubcommand {
    @Override
    List<StoredItem> list(ItemQueue queue, ItemListing listing) {
        return queue.admin().listScheduled(listing);
    }

    @Override
    String momentHeader() {
        return "READY AT";
    }

    @Override
    @Nullable Instant moment(StoredItem item) {
        return item.enqueueAt();
    }
}
