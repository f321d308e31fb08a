package dev.leasehold.cli.queue;

import dev.leasehold.cli.verb.ExitStatus;
import dev.leasehold.cli.verb.Output;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.QueueListing;
import dev.leasehold.spi.GoDuration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code leasehold queue list}. */
@Command(
        name = "list",
        description = "List queues by name.",
        footer = {"", "Example:", "  leasehold queue list --limit 20 --pivot emails", "", ExitStatus.HELP})
final class ListCommand extends QueueVerb {
    private static final List<String> HEADER =
            List.of("QUEUE", "LEASE", "EXPIRE", "ATTEMPTS", "PARTITIONS", "DEAD QUEUE", "REFERENCE");

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "How many at most (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--pivot", paramLabel = "QUEUE", description = "The first one, or the next if it is not there.")
    private String pivot = "";

    @Option(names = "--namespace", paramLabel = "NAME", description = "Whose (default: _system).")
    private String namespace = "";

    @Override
    void check() {
        listing();
    }

    private QueueListing listing() {
        return new QueueListing(namespace, pivot, limit);
    }

    @Override
    int run(Queues queues, Output output) {
        List<QueueInfo> found = queues.list(listing());
        output.answer(
                QueueDocuments.list(found),
                () -> output.table(HEADER, found.stream().map(ListCommand::row).toList()));
        note("Found " + found.size() + " queue(s)");
        return ExitStatus.OK;
    }

    private static List<String> row(QueueInfo info) {
        QueueConfig config = info.config();
        return List.of(
                config.name(),
                GoDuration.format(config.leaseTimeout()),
                QueueTexts.expiry(config),
                config.maxAttempts() == 0 ? "any" : Integer.toString(config.maxAttempts()),
                Integer.toString(config.partitions()),
                Output.orNothing(config.deadQueue()),
                Output.orNothing(config.reference()));
    }
}
