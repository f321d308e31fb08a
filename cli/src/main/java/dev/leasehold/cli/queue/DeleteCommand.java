package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.ConfirmOption;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Output;
import dev.leasehold.cli.command.Prompt;
import dev.leasehold.queue.Queues;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code leasehold queue delete}. */
@Command(
        name = "delete",
        description = "Delete a queue with all items in it. Says how many, and asks first.",
        footer = {"", "Example:", "  leasehold queue delete emails --yes", "", ExitStatus.HELP})
final class DeleteCommand extends OneQueueSubcommand {
    @Mixin
    private final ConfirmOption confirm;

    @Option(names = "--force", description = "The same as --yes, as Querator names it.")
    private boolean force;

    DeleteCommand(Prompt prompt) {
        confirm = new ConfirmOption(prompt);
    }

    @Override
    int run(Queues queues, Output output) {
        Depth depth = Depth.of(queues, queueName());
        if (!force) {
            confirm.require("Delete the queue '" + queueName() + "' with " + depth.text() + "?");
        }
        queues.delete(queueName());
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("queue_name", queueName());
        document.put("deleted", true);
        output.answer(document, () -> {});
        note("Successfully deleted queue '" + queueName() + "' with " + Depth.counted(depth.items()));
        return ExitStatus.OK;
    }
}
