package dev.leasehold.cli.lock;

import dev.leasehold.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** {@code leasehold lock}: the commands for locks. */
@Command(
        name = "lock",
        description = "Acquire, release and look at locks; run commands under them.",
        subcommands = {
            RunCommand.class,
            AcquireCommand.class,
            ReleaseCommand.class,
            ExtendCommand.class,
            LookupCommand.class,
            ListCommand.class,
            ForceReleaseCommand.class
        },
        footer = {
            "",
            "Examples:",
            "  leasehold lock run nightly-report --ttl 30s -- ./report.sh",
            "  leasehold lock list --prefix billing:"
        })
public final class LockCommand extends CommandGroup {}
