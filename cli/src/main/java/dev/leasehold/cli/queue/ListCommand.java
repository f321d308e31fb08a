package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.Ages;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Output;
import dev.leasehold.cli.command.WatchOption;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.QueueListing;
import dev.leasehold.spi.GoDuration;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code leasehold queue list}. */
@Command(
        name = "list",
        description = "List queues by name, with how many items they have and the age of the oldest that is ready.",
        footer = {"", "Example:", "  leasehold queue list --limit 20 --pivot emails", "", ExitStatus.HELP})
final class ListCommand extends QueueSubcommand {
    private static final List<String> HEADER = List.of(
            "QUEUE",
            "READY",
            "LEASED",
            "SCHEDULED",
            "OLDEST",
            "LEASE",
            "EXPIRE",
            "ATTEMPTS",
            "PARTITIONS",
            "DEAD QUEUE",
            "REFERENCE");

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "How many at most (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--pivot", paramLabel = "QUEUE", description = "The first one, or the next if it is not there.")
    private String pivot = "";

    @Option(names = "--namespace", paramLabel = "NAME", description = "Of which namespace (default: _system).")
    private String namespace = "";

    @Mixin
    private final WatchOption watch = new WatchOption();

    @Override
    String namespaceForPeople() {
        return named(namespace);
    }

    @Override
    void check() {
        watch.check();
        listing();
    }

    private QueueListing listing() {
        return new QueueListing(namespace, pivot, limit);
    }

    @Override
    int run(Queues queues) {
        return watch.show(format(), output -> run(queues, output));
    }

    @Override
    int run(Queues queues, Output output) {
        Map<QueueInfo, Depth> found = Depth.of(queues, queues.list(listing()));
        output.answer(
                QueueJson.list(found),
                () -> output.table(
                        HEADER,
                        found.entrySet().stream()
                                .map(entry -> row(entry.getKey().config(), entry.getValue()))
                                .toList()));
        note("Found " + found.size() + " queue(s)");
        return ExitStatus.OK;
    }

    private static List<String> row(QueueConfig config, Depth depth) {
        return List.of(
                config.name(),
                Long.toString(depth.ready()),
                Long.toString(depth.leased()),
                Long.toString(depth.scheduled()),
                depth.oldest().map(Ages::of).orElse("-"),
                GoDuration.format(config.leaseTimeout()),
                QueueFields.expiry(config),
                config.maxAttempts() == 0 ? "any" : Integer.toString(config.maxAttempts()),
                Integer.toString(config.partitions()),
                Output.orNothing(config.deadQueue()),
                Output.orNothing(config.reference()));
    }
}
