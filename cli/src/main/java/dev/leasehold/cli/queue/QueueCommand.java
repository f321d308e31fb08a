package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** {@code leasehold queue}: the commands for queues. */
@Command(
        name = "queue",
        description = "Create queues, produce items, run commands for them, look at what is there.",
        subcommands = {
            CreateCommand.class,
            ListCommand.class,
            InfoCommand.class,
            UpdateCommand.class,
            DeleteCommand.class,
            ProduceCommand.class,
            ConsumeCommand.class,
            LeaseCommand.class,
            CompleteCommand.class,
            RetryCommand.class,
            GiveBackCommand.class,
            ExtendCommand.class,
            StatsCommand.class,
            ClearCommand.class,
            DeleteItemsCommand.class,
            ItemsCommand.class,
            ScheduledCommand.class
        },
        footer = {
            "",
            "Examples:",
            "  leasehold queue create emails",
            "  leasehold queue produce emails --payload hello",
            "  leasehold queue consume emails -- ./send.sh"
        })
public final class QueueCommand extends CommandGroup {}
