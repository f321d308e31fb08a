package dev.leasehold.cli.queue;

import dev.leasehold.cli.verb.ExitStatus;
import dev.leasehold.cli.verb.Output;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.QueueStats;
import dev.leasehold.spi.GoDuration;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code leasehold queue stats}. */
@Command(
        name = "stats",
        description = {
            "Show how a queue stands, partition by partition.",
            "The waiting counts are those of the node that answers; directly on a PostgreSQL that is this command itself."
        },
        footer = {"", "Example:", "  leasehold queue stats emails", "", ExitStatus.HELP})
final class StatsCommand extends NamedQueueVerb {
    private static final List<String> HEADER =
            List.of("PARTITION", "READY", "LEASED", "SCHEDULED", "AVERAGE AGE", "LEASE LEFT", "FAILURES");

    @Override
    int run(Queues queues, Output output) {
        QueueStats stats = queues.queue(queueName()).admin().stats();
        output.answer(QueueDocuments.of(stats), () -> show(stats, output));
        return ExitStatus.OK;
    }

    private static void show(QueueStats stats, Output output) {
        output.text("waiting: " + stats.produceWaiting() + " to produce, " + stats.leaseWaiting() + " to lease, "
                + stats.completeWaiting() + " to complete; in flight: " + stats.inFlight());
        output.table(HEADER, stats.partitions().stream().map(StatsCommand::row).toList());
    }

    private static List<String> row(QueueStats.Partition partition) {
        return List.of(
                Integer.toString(partition.partition()),
                Long.toString(partition.total() - partition.totalLeased()),
                Long.toString(partition.totalLeased()),
                Long.toString(partition.scheduled()),
                rounded(partition.averageAge()),
                rounded(partition.averageLeasedAge()),
                Integer.toString(partition.failures()));
    }

    private static String rounded(Duration duration) {
        return GoDuration.format(duration.truncatedTo(ChronoUnit.MILLIS));
    }
}
