package dev.leasehold.cli.queue;

import dev.leasehold.cli.verb.ExitStatus;
import dev.leasehold.cli.verb.Output;
import dev.leasehold.queue.Queues;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code leasehold queue delete}. */
@Command(
        name = "delete",
        description = "Delete a queue with all that is in it.",
        footer = {"", "Example:", "  leasehold queue delete emails", "", ExitStatus.HELP})
final class DeleteCommand extends NamedQueueVerb {
    @Option(names = "--force", description = "For scripts written for Querator; it changes nothing.")
    @SuppressWarnings("UnusedVariable") // accepted, as there
    private boolean force;

    @Override
    int run(Queues queues, Output output) {
        queues.delete(queueName());
        output.answer(Map.of("queue_name", queueName(), "deleted", true), () -> {});
        note("Successfully deleted queue '" + queueName() + "'");
        return ExitStatus.OK;
    }
}
