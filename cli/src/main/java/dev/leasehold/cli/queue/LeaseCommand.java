package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.CliException;
import dev.leasehold.cli.command.DurationConverter;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Output;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code leasehold queue lease}. */
@Command(
        name = "lease",
        description = {
            "Lease items and print them. Status 75 if none came in time.",
            "They are leased until their deadline: complete, retry or extend them before. With --complete they are completed"
                    + " as soon as they are printed."
        },
        footer = {
            "",
            "Example:",
            "  leasehold queue lease emails --batch-size 10 --timeout 5s --json | jq -r '.items[].bytes'",
            "",
            ExitStatus.HELP
        })
final class LeaseCommand extends OneQueueSubcommand {
    private static final List<String> HEADER = List.of("ID", "ATTEMPTS", "DEADLINE", "KIND", "REFERENCE", "PAYLOAD");

    @Option(
            names = {"-c", "--client-id"},
            paramLabel = "ID",
            description = "Who leases (default: a random one).")
    private String clientId = "id-" + UUID.randomUUID();

    @Option(
            names = {"-b", "--batch-size"},
            paramLabel = "N",
            defaultValue = "1",
            description = "How many at most, up to 1000 (default: ${DEFAULT-VALUE}).")
    private int batchSize;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            defaultValue = "30s",
            description = "How long to wait for the first item (default: ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ZERO;

    @Option(names = "--complete", description = "Complete the items once they are printed.")
    private boolean complete;

    @Override
    void check() {
        request();
    }

    private LeaseRequest request() {
        return new LeaseRequest(clientId, batchSize, timeout);
    }

    @Override
    int run(Queues queues, Output output) {
        ItemQueue queue = queues.queue(queueName());
        LeasedBatch batch = queue.lease(request());
        output.answer(QueueJson.of(batch), () -> show(batch, output));
        if (batch.isEmpty()) {
            note("No item came in time in queue '" + queueName() + "'");
            return ExitStatus.NOT_NOW;
        }
        note("Successfully leased " + batch.items().size() + " item(s) from queue '" + queueName() + "'");
        if (complete) {
            complete(queue, batch, output);
        }
        return ExitStatus.OK;
    }

    /** Only what its reader has got: what was lost on the way to it must be leased again. */
    private void complete(ItemQueue queue, LeasedBatch batch, Output output) {
        if (!output.isIntact()) {
            throw CliException.failed("The items could not be written to standard output, so they were not completed:"
                    + " their lease ends at its deadline");
        }
        queue.complete(batch);
        note(LeasedItemsSubcommand.sentence("completed", batch.items().size(), queueName(), batch.partition()));
    }

    private static void show(LeasedBatch batch, Output output) {
        if (!batch.isEmpty()) {
            output.text("partition " + batch.partition());
            output.table(HEADER, batch.items().stream().map(LeaseCommand::row).toList());
        }
    }

    private static List<String> row(LeasedItem item) {
        return List.of(
                item.id().value(),
                Integer.toString(item.attempts()),
                Output.age(item.leaseDeadline()),
                Output.orNothing(item.kind()),
                Output.orNothing(item.reference()),
                Output.preview(item.payload()));
    }
}
