package dev.leasehold.cli.queue;

import dev.leasehold.cli.verb.Group;
import picocli.CommandLine.Command;

/** {@code leasehold queue}: the verbs of queues. */
@Command(
        name = "queue",
        description = "Create queues, produce items, lease, complete and retry them, look at what is there.",
        subcommands = {
            CreateCommand.class,
            ListCommand.class,
            InfoCommand.class,
            UpdateCommand.class,
            DeleteCommand.class,
            ProduceCommand.class,
            LeaseCommand.class,
            CompleteCommand.class,
            RetryCommand.class,
            ExtendCommand.class,
            StatsCommand.class,
            ClearCommand.class,
            ItemsCommand.class,
            ScheduledCommand.class
        },
        footer = {
            "",
            "Examples:",
            "  leasehold queue create emails",
            "  leasehold queue produce emails --payload hello",
            "  leasehold queue lease emails --complete"
        })
public final class QueueCommand extends Group {}
