package dev.leasehold.cli.queue;

import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.item.ItemId;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which items to show. */
final class ItemPageOptions {
    @Option(
            names = {"-p", "--partition"},
            paramLabel = "N",
            defaultValue = "0",
            description = "Of which partition (default: ${DEFAULT-VALUE}).")
    private int partition;

    @Option(names = "--pivot", paramLabel = "ID", description = "The first one, or the next if it is not there.")
    private @Nullable String pivot;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "How many at most (default: ${DEFAULT-VALUE}).")
    private int limit;

    ItemListing listing() {
        return new ItemListing(partition, pivot == null ? null : new ItemId(pivot), limit);
    }
}
