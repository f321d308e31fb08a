package dev.leasehold.cli.migrate;

import dev.leasehold.cli.command.CliCommand;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Output;
import dev.leasehold.cli.command.OutputFormat;
import dev.leasehold.cli.command.PostgresTarget;
import dev.leasehold.cli.command.Target;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code leasehold migrate}: brings the tables to the newest version of the schema, or prints the SQL. */
@Command(
        name = "migrate",
        description = {
            "Bring the tables of locks and queues in a PostgreSQL to the newest version of the schema. Rows stay as they are, and"
                    + " repeating it changes nothing.",
            "With --dry-run the SQL is printed instead: the files that Flyway and Liquibase can run, too. It needs no database."
        },
        footer = {
            "",
            "Examples:",
            "  PGPASSWORD=... leasehold migrate --url postgres://app@db.example/app",
            "  leasehold migrate --dry-run > leasehold.sql",
            "",
            ExitStatus.HELP
        })
public final class MigrateCommand extends CliCommand {
    @Mixin
    private final Target target = new Target();

    @Mixin
    private final OutputFormat format = new OutputFormat();

    @Option(names = "--dry-run", description = "Print the SQL and run nothing.")
    private boolean dryRun;

    @Option(
            names = "--view",
            paramLabel = "NAME",
            description = "Also a view of this name that shows locks as LockServiceCentral's table did.")
    private @Nullable String view;

    @Override
    protected int run() throws SQLException {
        List<Step> steps = steps();
        return dryRun ? print(steps) : apply(steps);
    }

    private List<Step> steps() {
        List<Step> steps = new ArrayList<>(List.of(Step.locks(), Step.queues()));
        if (view != null) {
            steps.add(Step.view(view));
        }
        return steps;
    }

    private int print(List<Step> steps) {
        Output output = format.output(spec().commandLine());
        Map<String, Object> document = new LinkedHashMap<>();
        steps.forEach(step -> document.put(step.name(), step.sql()));
        output.answer(document, () -> steps.forEach(step -> output.text(step.sql())));
        return ExitStatus.OK;
    }

    private int apply(List<Step> steps) throws SQLException {
        PostgresTarget postgres = target.postgres();
        Output output = format.output(spec().commandLine());
        Map<String, String> results = new LinkedHashMap<>();
        boolean isComplete = true;
        for (Step step : steps) {
            Step.Result result = step.run(postgres.dataSource());
            results.put(step.name(), result.text());
            isComplete &= result != Step.Result.REFUSED;
        }
        output.answer(results, () -> output.fields(results));
        note(isComplete ? "The tables are complete in " + postgres.display() : "Not everything could be created");
        return isComplete ? ExitStatus.OK : ExitStatus.FAILURE;
    }
}
