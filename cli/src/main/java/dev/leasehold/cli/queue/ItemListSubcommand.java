package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Output;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemQueue;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** A command that shows items of one partition. */
abstract class ItemListSubcommand extends OneQueueSubcommand {
    @Mixin
    private final ItemPageOptions page = new ItemPageOptions();

    /** The items to show. */
    abstract List<StoredItem> list(ItemQueue queue, ItemListing listing);

    /** What is said of the moment that matters for them. */
    abstract String momentHeader();

    /** The moment that matters for an item. */
    abstract @Nullable Instant moment(StoredItem item);

    @Override
    void check() {
        page.listing();
    }

    @Override
    int run(Queues queues, Output output) {
        ItemListing listing = page.listing();
        List<StoredItem> items = list(queues.queue(queueName()), listing);
        output.answer(
                QueueJson.items(queueName(), listing.partition(), items),
                () -> output.table(header(), items.stream().map(this::row).toList()));
        note("Found " + items.size() + " item(s)");
        return ExitStatus.OK;
    }

    private List<String> header() {
        return List.of("ID", "ATTEMPTS", momentHeader(), "EXPIRES", "KIND", "REFERENCE", "PAYLOAD");
    }

    private List<String> row(StoredItem item) {
        return List.of(
                String.valueOf(item.id()),
                Integer.toString(item.attempts()),
                Output.age(moment(item)),
                expiry(item),
                Output.orNothing(item.kind()),
                Output.orNothing(item.reference()),
                Output.preview(item.payload()));
    }

    private static String expiry(StoredItem item) {
        return StoredItem.NEVER.equals(item.expireDeadline())
                ? ExpiryConverter.NEVER
                : Output.age(item.expireDeadline());
    }
}
