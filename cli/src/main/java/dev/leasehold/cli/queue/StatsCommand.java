package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.Ages;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Output;
import dev.leasehold.cli.command.WatchOption;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.QueueStats;
import dev.leasehold.spi.GoDuration;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code leasehold queue stats}. */
@Command(
        name = "stats",
        description = {
            "Show how many items each partition of a queue has, and how old they are.",
            "The waiting counts are those of the node that answers; directly on a PostgreSQL that is this command itself."
        },
        footer = {"", "Example:", "  leasehold queue stats emails", "", ExitStatus.HELP})
final class StatsCommand extends OneQueueSubcommand {
    private static final List<String> HEADER =
            List.of("PARTITION", "READY", "LEASED", "SCHEDULED", "OLDEST", "AVERAGE AGE", "LEASE LEFT", "FAILURES");

    @Mixin
    private final WatchOption watch = new WatchOption();

    @Override
    void check() {
        watch.check();
    }

    @Override
    int run(Queues queues) {
        return watch.show(format(), output -> run(queues, output));
    }

    @Override
    int run(Queues queues, Output output) {
        QueueStats stats = queues.queue(queueName()).admin().stats();
        output.answer(QueueJson.of(stats), () -> show(stats, output));
        return ExitStatus.OK;
    }

    private static void show(QueueStats stats, Output output) {
        output.text("waiting: " + stats.produceWaiting() + " to produce, " + stats.leaseWaiting() + " to lease, "
                + stats.completeWaiting() + " to complete; in flight: " + stats.inFlight());
        output.table(HEADER, stats.partitions().stream().map(StatsCommand::row).toList());
    }

    private static List<String> row(QueueStats.Partition partition) {
        Duration oldest = partition.oldestReady();
        return List.of(
                Integer.toString(partition.partition()),
                Long.toString(partition.total() - partition.totalLeased()),
                Long.toString(partition.totalLeased()),
                Long.toString(partition.scheduled()),
                oldest == null ? "-" : Ages.of(oldest),
                rounded(partition.averageAge()),
                rounded(partition.averageLeasedAge()),
                Integer.toString(partition.failures()));
    }

    private static String rounded(Duration duration) {
        return GoDuration.format(duration.truncatedTo(ChronoUnit.MILLIS));
    }
}
