package dev.leasehold.cli;

import dev.leasehold.cli.command.CliErrors;
import dev.leasehold.cli.command.CompletionCommand;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Prompt;
import dev.leasehold.cli.command.VersionCommand;
import dev.leasehold.cli.doctor.DoctorCommand;
import dev.leasehold.cli.lock.LockCommand;
import dev.leasehold.cli.migrate.MigrateCommand;
import dev.leasehold.cli.queue.QueueCommand;
import dev.leasehold.cli.server.Logging;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code leasehold}. A new command is one more entry in its list of subcommands. */
@Command(
        name = "leasehold",
        description = "Locks and queues on the PostgreSQL you already run.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        footer = {
            "",
            "From a checkout of the sources, the launcher has two more, built when they are first asked for:",
            "  bench          Measures locks and queues beside their peers; leasehold bench --help",
            "  chaos          Makes things fail on purpose and checks what came out; leasehold chaos --help"
        },
        subcommands = {
            ServerCommand.class,
            ConfigCommand.class,
            LockCommand.class,
            QueueCommand.class,
            MigrateCommand.class,
            DoctorCommand.class,
            CompletionCommand.class,
            VersionCommand.class,
            HelpCommand.class
        })
public final class Main implements Callable<Integer> {
    @CommandLine.Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    public static void main(String[] args) {
        Logging.errorsOnly();
        System.exit(commandLine(Prompt.CONSOLE).execute(args));
    }

    /**
     * The command line, for {@link #main} and for tests. An argument that begins with '@' is an argument, not the name of a file.
     *
     * @param prompt asks the user before something is deleted
     */
    static CommandLine commandLine(Prompt prompt) {
        return new CommandLine(new Main(), prompt.injected(CommandLine.defaultFactory()))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExpandAtFiles(false)
                .setParameterExceptionHandler(CliErrors::wrongUsage)
                .setExecutionExceptionHandler(CliErrors::failed);
    }

    @Override
    public Integer call() {
        CommandLine command = Objects.requireNonNull(spec).commandLine();
        command.usage(command.getErr());
        return ExitStatus.USAGE;
    }

    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"leasehold " + BuildInfo.version()};
        }
    }
}
