package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.CliException;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Input;
import dev.leasehold.cli.command.Output;
import dev.leasehold.queue.admin.QueueLimits;
import dev.leasehold.queue.item.ItemId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that changes items of one partition, named by their ids. */
abstract class LeasedItemsSubcommand extends OneQueueSubcommand {
    @Parameters(index = "1..*", arity = "0..*", paramLabel = "ID", description = "The ids of the items.")
    private List<String> arguments = List.of();

    @Option(
            names = {"-p", "--partition"},
            required = true,
            paramLabel = "N",
            description = "The partition that they are in.")
    private int partition;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "A file with one id in a line; '-' for standard input.")
    private @Nullable Path file;

    private List<ItemId> ids = List.of();

    @Override
    void check() throws IOException {
        List<String> more = file == null ? List.of() : Input.words(file);
        ids = Stream.concat(arguments.stream(), more.stream()).map(ItemId::new).toList();
        if (ids.isEmpty()) {
            throw CliException.usage("Which items? Give their ids, or a file of them with --file");
        }
    }

    final int partition() {
        return partition;
    }

    final int count() {
        return ids.size();
    }

    /** Reports that something was done to all of them. */
    final int done(String what, Output output) {
        output.answer(QueueJson.count(queueName(), partition, count()), () -> {});
        note(sentence(what, count(), queueName(), partition));
        return ExitStatus.OK;
    }

    static String sentence(String what, int count, String queue, int partition) {
        return "Successfully " + what + " " + count + " item(s) in queue '" + queue + "' partition " + partition;
    }

    /** The ids, as many at a time as one call takes. */
    final List<List<ItemId>> batches() {
        List<List<ItemId>> batches = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += QueueLimits.MAX_BATCH) {
            batches.add(ids.subList(from, Math.min(from + QueueLimits.MAX_BATCH, ids.size())));
        }
        return batches;
    }
}
