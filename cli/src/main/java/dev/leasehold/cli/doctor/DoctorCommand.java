package dev.leasehold.cli.doctor;

import dev.leasehold.cli.verb.ExitStatus;
import dev.leasehold.cli.verb.Format;
import dev.leasehold.cli.verb.Output;
import dev.leasehold.cli.verb.Target;
import dev.leasehold.cli.verb.Verb;
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
public final class DoctorCommand extends Verb {
    private static final List<String> HEADER = List.of("STATUS", "CHECK", "FOUND");

    @Mixin
    private final Target target = new Target();

    @Mixin
    private final Format format = new Format();

    @Option(
            names = "--management-port",
            paramLabel = "PORT",
            description = "Where the server has its health, if it has a management port of its own.")
    private @Nullable Integer managementPort;

    @Override
    protected int run() throws InterruptedException {
        List<Finding> findings = target.isPostgres()
                ? DatabaseDoctor.examine(target.postgres())
                : ServerDoctor.examine(target, managementPort);
        Output output = format.output(out());
        output.answer(document(findings), () -> show(findings, output));
        note(count(findings, Verdict.Level.OK) + " ok, " + count(findings, Verdict.Level.WARN) + " warning(s), "
                + count(findings, Verdict.Level.FAIL) + " failure(s)");
        return count(findings, Verdict.Level.FAIL) == 0 ? ExitStatus.OK : ExitStatus.FAILURE;
    }

    private static long count(List<Finding> findings, Verdict.Level level) {
        return findings.stream()
                .filter(finding -> finding.verdict().level() == level)
                .count();
    }

    private static Map<String, Object> document(List<Finding> findings) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("ok", count(findings, Verdict.Level.OK));
        document.put("warnings", count(findings, Verdict.Level.WARN));
        document.put("failures", count(findings, Verdict.Level.FAIL));
        document.put("findings", findings.stream().map(Finding::document).toList());
        return document;
    }

    private static void show(List<Finding> findings, Output output) {
        output.table(
                HEADER,
                findings.stream()
                        .map(finding -> List.of(
                                finding.level(),
                                finding.check(),
                                finding.verdict().found()))
                        .toList());
        List<Finding> advised = findings.stream()
                .filter(finding -> !finding.verdict().advice().isEmpty())
                .toList();
        if (!advised.isEmpty()) {
            output.text("");
            output.text("What to do:");
            advised.forEach(finding -> output.text(
                    "  " + finding.check() + ": " + finding.verdict().advice()));
        }
    }
}
