package dev.leasehold.cli.verb;

import dev.leasehold.cli.BuildInfo;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code leasehold version}. */
@Command(
        name = "version",
        description = "Print the version.",
        footer = {"", "Example:", "  leasehold version"})
public final class VersionCommand extends Verb {
    @Mixin
    private final Format format = new Format();

    @Override
    protected int run() {
        Output output = format.output(out());
        output.answer(Map.of("version", BuildInfo.version()), () -> output.text("leasehold " + BuildInfo.version()));
        return ExitStatus.OK;
    }
}
