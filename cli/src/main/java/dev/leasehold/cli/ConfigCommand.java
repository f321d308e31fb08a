package dev.leasehold.cli;

import dev.leasehold.cli.config.ConfigReport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Spec;

/** {@code leasehold config}: what a server would be told, and by whom. */
@Command(
        name = "config",
        description = "Print the effective configuration with where each value came from; secrets are masked.",
        mixinStandardHelpOptions = true)
final class ConfigCommand implements Runnable {
    @Mixin
    private ServerOptionsMixin options = new ServerOptionsMixin();

    @Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec != null) {
            ConfigReport.lines(options.load()).forEach(spec.commandLine().getOut()::println);
        }
    }
}
