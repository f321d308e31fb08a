package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.CliException;
import dev.leasehold.cli.command.DurationConverter;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.InstantConverter;
import dev.leasehold.cli.command.Output;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.When;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.RetryItem;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code leasehold queue retry}. */
@Command(
        name = "retry",
        description = "Give leased items another turn: now, later, or never again. They get new ids.",
        footer = {
            "",
            "Example:",
            "  leasehold queue retry emails --partition 0 --after 5m 2f0kKDzXDqLYxyZWhvZFSJdDDdb",
            "",
            ExitStatus.HELP
        })
final class RetryCommand extends LeasedItemsSubcommand {
    @Option(names = "--at", paramLabel = "MOMENT", converter = InstantConverter.class, description = "When; RFC 3339.")
    private @Nullable Instant at;

    @Option(
            names = "--after",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "How long from now.")
    private @Nullable Duration after;

    @Option(names = "--dead", description = "Never again: to the dead queue, or away if there is none.")
    private boolean dead;

    @Override
    void check() throws IOException {
        super.check();
        long given = Stream.of(at, after, dead ? dead : null)
                .filter(Objects::nonNull)
                .count();
        if (given > 1) {
            throw CliException.usage("--at, --after and --dead exclude each other: give one of them, or none for now");
        }
    }

    @Override
    int run(Queues queues, Output output) {
        ItemQueue queue = queues.queue(queueName());
        batches()
                .forEach(ids -> queue.retry(
                        partition(),
                        ids.stream().map(id -> new RetryItem(id, when(), dead)).toList()));
        return done("retried", output);
    }

    private When when() {
        if (at != null) {
            return When.at(at);
        }
        return after == null ? When.now() : When.after(after);
    }
}
