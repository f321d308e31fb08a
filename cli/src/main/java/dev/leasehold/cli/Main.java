package dev.leasehold.cli;

import dev.leasehold.cli.doctor.DoctorCommand;
import dev.leasehold.cli.lock.LockCommand;
import dev.leasehold.cli.migrate.MigrateCommand;
import dev.leasehold.cli.queue.QueueCommand;
import dev.leasehold.cli.server.Logging;
import dev.leasehold.cli.verb.Complaints;
import dev.leasehold.cli.verb.CompletionCommand;
import dev.leasehold.cli.verb.VersionCommand;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code leasehold}. A new verb is one more entry in its list of subcommands. */
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
            HelpVerb.class
        })
public final class Main implements Runnable {
    @CommandLine.Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    public static void main(String[] args) {
        Logging.quiet();
        System.exit(commandLine().execute(args));
    }

    /** The command line, for {@link #main} and for tests. An argument that begins with '@' is one, and no name of a file. */
    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExpandAtFiles(false)
                .setParameterExceptionHandler(Complaints::wrongUsage)
                .setExecutionExceptionHandler(new Failures());
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                Objects.requireNonNull(spec).commandLine(), "which command? See the list below.");
    }

    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"leasehold " + BuildInfo.version()};
        }
    }
}
