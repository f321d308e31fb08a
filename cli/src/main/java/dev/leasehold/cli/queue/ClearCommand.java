package dev.leasehold.cli.queue;

import dev.leasehold.cli.verb.ExitStatus;
import dev.leasehold.cli.verb.Output;
import dev.leasehold.cli.verb.VerbException;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.ClearRequest;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code leasehold queue clear}. */
@Command(
        name = "clear",
        description = "Delete the items of a queue, in all its partitions, and keep the queue.",
        footer = {"", "Example:", "  leasehold queue clear emails --ready --scheduled", "", ExitStatus.HELP})
final class ClearCommand extends NamedQueueVerb {
    @Option(
            names = {"--ready", "--queue"},
            description = "Items that are ready.")
    private boolean ready;

    @Option(names = "--scheduled", description = "Items that are scheduled.")
    private boolean scheduled;

    @Option(names = "--destructive", description = "With --ready: leased items too.")
    private boolean destructive;

    @Override
    void check() {
        if (!ready && !scheduled) {
            throw VerbException.usage("What to clear? Give --ready, --scheduled or both");
        }
    }

    @Override
    int run(Queues queues, Output output) {
        queues.queue(queueName()).admin().clear(new ClearRequest(ready, scheduled, destructive));
        output.answer(Map.of("queue_name", queueName(), "cleared", true), () -> {});
        note("Successfully cleared queue '" + queueName() + "'");
        return ExitStatus.OK;
    }
}
