package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.CliException;
import dev.leasehold.cli.command.ConfirmOption;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Output;
import dev.leasehold.cli.command.Prompt;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.ClearRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code leasehold queue clear}. */
@Command(
        name = "clear",
        description =
                "Delete the items of a queue, in all its partitions, and keep the queue. Says how many, and asks first.",
        footer = {"", "Example:", "  leasehold queue clear emails --ready --scheduled --yes", "", ExitStatus.HELP})
final class ClearCommand extends OneQueueSubcommand {
    @Option(
            names = {"--ready", "--queue"},
            description = "Items that are ready.")
    private boolean ready;

    @Option(names = "--scheduled", description = "Items that are scheduled.")
    private boolean scheduled;

    @Option(names = "--destructive", description = "With --ready: leased items too.")
    private boolean destructive;

    @Mixin
    private final ConfirmOption confirm;

    ClearCommand(Prompt prompt) {
        confirm = new ConfirmOption(prompt);
    }

    @Override
    void check() {
        if (!ready && !scheduled) {
            throw CliException.usage("What to clear? Give --ready, --scheduled or both");
        }
    }

    @Override
    int run(Queues queues, Output output) {
        String items = Depth.counted(affected(Depth.of(queues, queueName())));
        confirm.require("Delete " + items + " of the queue '" + queueName() + "'?");
        queues.queue(queueName()).admin().clear(new ClearRequest(ready, scheduled, destructive));
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("queue_name", queueName());
        document.put("cleared", true);
        output.answer(document, () -> {});
        note("Successfully cleared queue '" + queueName() + "' of " + items);
        return ExitStatus.OK;
    }

    private long affected(Depth depth) {
        return (ready ? depth.ready() : 0)
                + (ready && destructive ? depth.leased() : 0)
                + (scheduled ? depth.scheduled() : 0);
    }
}
