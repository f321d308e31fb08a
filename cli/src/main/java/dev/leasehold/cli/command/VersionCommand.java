package dev.leasehold.cli.command;

import dev.leasehold.cli.BuildInfo;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code leasehold version}. */
@Command(
        name = "version",
        description = "Print the version.",
        footer = {"", "Example:", "  leasehold version"})
public final class VersionCommand extends CliCommand {
    @Mixin
    private final OutputFormat format = new OutputFormat();

    @Override
    protected int run() {
        Output output = format.output(spec().commandLine());
        output.answer(Map.of("version", BuildInfo.version()), () -> output.text("leasehold " + BuildInfo.version()));
        return ExitStatus.OK;
    }
}
