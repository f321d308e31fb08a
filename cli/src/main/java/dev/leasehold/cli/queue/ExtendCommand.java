package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.DurationConverter;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Output;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.item.ItemQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code leasehold queue extend}. */
@Command(
        name = "extend",
        description = "Make the lease of items end later, and print the new deadline.",
        footer = {
            "",
            "Example:",
            "  leasehold queue extend emails --partition 0 --lease-timeout 10m 2f0kKDzXDqLYxyZWhvZFSJdDDdb",
            "",
            ExitStatus.HELP
        })
final class ExtendCommand extends LeasedItemsSubcommand {
    @Option(
            names = "--lease-timeout",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            defaultValue = "0s",
            description = "How long from now (default: the queue's lease timeout).")
    private Duration leaseTimeout = Duration.ZERO;

    @Override
    int run(Queues queues, Output output) {
        ItemQueue queue = queues.queue(queueName());
        Instant deadline = batches().stream()
                .map(ids -> queue.extend(partition(), ids, leaseTimeout))
                .min(Comparator.naturalOrder())
                .orElseThrow();
        output.answer(
                Map.of("queue_name", queueName(), "partition", partition(), "lease_deadline", deadline.toString()),
                () -> output.text("leased, expires " + Output.momentAndAge(deadline)));
        note(sentence("extended", count(), queueName(), partition()));
        return ExitStatus.OK;
    }
}
