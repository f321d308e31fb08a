package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.CliException;
import dev.leasehold.cli.command.DurationConverter;
import dev.leasehold.cli.command.Output;
import dev.leasehold.cli.process.Signals;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.item.ItemQueue;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code leasehold queue consume}: runs a command for each item of a queue. */
@Command(
        name = "consume",
        showEndOfOptionsDelimiterInUsageHelp = true,
        description = {
            "Run a command for each item, with the payload on its standard input. Status 0 completes the item; any other has it"
                    + " retried after 1 s, then 2 s, up to 5 min, until the queue's max attempts dead-letter it.",
            "The command finds LEASEHOLD_QUEUE, LEASEHOLD_ITEM_ID, LEASEHOLD_ATTEMPTS, LEASEHOLD_KIND, LEASEHOLD_REFERENCE and"
                    + " LEASEHOLD_ENCODING in its environment. The lease is extended while it runs; if it is lost, the"
                    + " command is stopped.",
            "On SIGTERM or SIGINT nothing more is leased. Commands that run may finish for --stop-timeout; then they are stopped"
                    + " and their items retried."
        },
        footer = {
            "",
            "Examples:",
            "  leasehold queue consume emails --concurrency 4 --timeout 1m -- ./send.sh",
            "  leasehold queue consume emails --once -- jq .",
            "",
            "Exit status: 0 when stopped by a signal, or if all items of --once or --limit were completed; 1 if one was not, or the"
                    + " queue is gone; 126 or 127 if the command could not be started, 2 for wrong usage."
        })
final class ConsumeCommand extends OneQueueSubcommand {
    @Parameters(index = "1..*", arity = "1..*", paramLabel = "COMMAND", description = "After '--': what to run.")
    private List<String> command = List.of();

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many commands run at the same time (default: ${DEFAULT-VALUE}).")
    private int concurrency;

    @Option(names = "--limit", paramLabel = "N", description = "End after so many items.")
    private @Nullable Integer limit;

    @Option(names = "--once", description = "End after one item: the same as --limit 1.")
    private boolean once;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "How long a command may run; then it is stopped and the item retried (default: no limit).")
    private Duration timeout = Duration.ZERO;

    @Option(
            names = "--stop-timeout",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            defaultValue = "30s",
            description = "How long commands may finish after SIGTERM or SIGINT (default: ${DEFAULT-VALUE}).")
    private Duration stopTimeout = Duration.ZERO;

    @Option(
            names = "--grace",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            defaultValue = "10s",
            description =
                    "How long a command that is stopped has between SIGTERM and SIGKILL (default: ${DEFAULT-VALUE}).")
    private Duration grace = Duration.ZERO;

    @Override
    void check() {
        if (once && limit != null) {
            throw CliException.usage("--once and --limit exclude each other: give one of them");
        }
        if (limit != null && limit < 1) {
            throw CliException.usage("--limit must be at least 1, got " + limit);
        }
        options();
    }

    /**
     * Items are leased one at a time, so that few wait here for a command while another consumer could run theirs. The consumer
     * itself sets commands no limit when it stops: it also stops at the last item of {@code --limit}.
     */
    private ConsumeOptions options() {
        return ConsumeOptions.DEFAULT
                .concurrency(concurrency)
                .batchSize(1)
                .handlerTimeout(timeout)
                .stopTimeout(Duration.ofDays(365));
    }

    private int most() {
        return once ? 1 : limit == null ? Integer.MAX_VALUE : limit;
    }

    @Override
    int run(Queues queues, Output output) {
        queues.info(queueName()); // a consumer would wait for a queue that is not there
        ItemQueue queue = queues.queue(queueName());
        CommandHandler handler = new CommandHandler(queueName(), command, most(), grace, this::note);
        try (Signals signals = Signals.catching();
                Consumer consumer = queue.consume(options(), handler)) {
            handler.start(consumer);
            signals.subscribe(signal -> handler.stop(stopTimeout));
            awaitClosed(consumer);
            handler.awaitProcesses();
            return handler.status(signals.first().isPresent());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CliException.failed("Interrupted", e);
        }
    }

    private static void awaitClosed(Consumer consumer) throws InterruptedException {
        boolean isClosed = false;
        while (!isClosed) {
            isClosed = consumer.awaitClosed(Duration.ofDays(1));
        }
    }
}
