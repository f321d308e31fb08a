package dev.leasehold.cli.doctor;

import dev.leasehold.cli.command.CliCommand;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Output;
import dev.leasehold.cli.command.OutputFormat;
import dev.leasehold.cli.command.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code leasehold doctor}: says what is wrong with a database or a server, and what to do about it. */
@Command(
        name = "doctor",
        description = {
            "Check a PostgreSQL or a server, and say what to do. Nothing is changed.",
            "PostgreSQL: connection, version, schema, privileges, indexes, clock, isolation, pooler, durability, what holds"
                    + " back vacuum, room for connections. Server: health, version, the time a lock takes."
        },
        footer = {
            "",
            "Examples:",
            "  PGPASSWORD=... leasehold doctor --url postgres://app@db.example/app",
            "  leasehold doctor --url http://127.0.0.1:2319 --management-port 2320",
            "",
            "Exit status: 0 if nothing failed (warnings do not count), 1 otherwise, 2 wrong usage."
        })
public final class DoctorCommand extends CliCommand {
    private static final List<String> HEADER = List.of("STATUS", "CHECK", "FOUND");

    @Mixin
    private final Target target = new Target();

    @Mixin
    private final OutputFormat format = new OutputFormat();

    @Option(
            names = "--management-port",
            paramLabel = "PORT",
            description = "Where the server has its health, if it has a management port of its own.")
    private @Nullable Integer managementPort;

    @Override
    protected int run() throws InterruptedException {
        Map<String, Verdict> verdicts = target.isPostgres()
                ? DatabaseChecks.examine(target.postgres())
                : ServerChecks.examine(target, managementPort);
        Output output = format.output(spec().commandLine());
        output.answer(document(verdicts), () -> show(verdicts, output));
        note(count(verdicts, Verdict.Level.OK) + " ok, " + count(verdicts, Verdict.Level.WARN) + " warning(s), "
                + count(verdicts, Verdict.Level.FAIL) + " failure(s)");
        return count(verdicts, Verdict.Level.FAIL) == 0 ? ExitStatus.OK : ExitStatus.FAILURE;
    }

    private static long count(Map<String, Verdict> verdicts, Verdict.Level level) {
        return verdicts.values().stream()
                .filter(verdict -> verdict.level() == level)
                .count();
    }

    private static Map<String, Object> document(Map<String, Verdict> verdicts) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("ok", count(verdicts, Verdict.Level.OK));
        document.put("warnings", count(verdicts, Verdict.Level.WARN));
        document.put("failures", count(verdicts, Verdict.Level.FAIL));
        document.put(
                "findings",
                verdicts.entrySet().stream()
                        .map(entry -> entry.getValue().json(entry.getKey()))
                        .toList());
        return document;
    }

    private static void show(Map<String, Verdict> verdicts, Output output) {
        List<List<String>> rows = new ArrayList<>();
        List<String> advice = new ArrayList<>();
        verdicts.forEach((check, verdict) -> {
            rows.add(List.of(verdict.level().text(), check, verdict.found()));
            if (!verdict.advice().isEmpty()) {
                advice.add("  " + check + ": " + verdict.advice());
            }
        });
        output.table(HEADER, rows);
        if (!advice.isEmpty()) {
            output.text("");
            output.text("What to do:");
            advice.forEach(output::text);
        }
    }
}
