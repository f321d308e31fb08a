package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemQueue;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code leasehold queue items}. */
@Command(
        name = "items",
        description = "Show the items of a partition that are ready or leased, in their order. They stay as they are.",
        footer = {"", "Example:", "  leasehold queue items emails --partition 0 --limit 20", "", ExitStatus.HELP})
final class ItemsCommand extends ItemListSubcommand {
    @Override
    List<StoredItem> list(ItemQueue queue, ItemListing listing) {
        return queue.admin().list(listing);
    }

    @Override
    String momentHeader() {
        return "LEASED UNTIL";
    }

    @Override
    @Nullable Instant moment(StoredItem item) {
        return item.leaseDeadline();
    }
}
