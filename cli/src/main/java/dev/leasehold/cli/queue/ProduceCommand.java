package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.CliException;
import dev.leasehold.cli.command.DurationConverter;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.cli.command.Input;
import dev.leasehold.cli.command.InstantConverter;
import dev.leasehold.cli.command.Output;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.When;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.item.Produced;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code leasehold queue produce}. */
@Command(
        name = "produce",
        description = {
            "Produce an item. Its payload is --payload, or the file, or what comes on standard input.",
            "With --lines every line of the input is an item, in batches; empty lines are items too."
        },
        footer = {
            "",
            "Examples:",
            "  leasehold queue produce emails --payload 'hello' --kind greeting",
            "  leasehold queue produce emails --lines --file addresses.txt",
            "",
            ExitStatus.HELP
        })
final class ProduceCommand extends OneQueueSubcommand {
    @Option(
            names = {"-p", "--payload"},
            paramLabel = "TEXT",
            description = "The payload, as UTF-8.")
    private @Nullable String payload;

    @Option(names = "--file", paramLabel = "FILE", description = "A file with the payload; '-' for standard input.")
    private @Nullable Path file;

    @Option(names = "--lines", description = "One item for each line.")
    private boolean lines;

    @Option(names = "--encoding", paramLabel = "TEXT", description = "How the payload is to be read; free text.")
    private String encoding = "";

    @Option(names = "--kind", paramLabel = "TEXT", description = "What sort of work it is; free text.")
    private String kind = "";

    @Option(names = "--reference", paramLabel = "TEXT", description = "What it belongs to; free text.")
    private String reference = "";

    @Option(
            names = "--enqueue-at",
            paramLabel = "MOMENT",
            converter = InstantConverter.class,
            description = "When it becomes ready; RFC 3339 (default: at once).")
    private @Nullable Instant enqueueAt;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            defaultValue = "30s",
            description = "How long each call may take (default: ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ZERO;

    @Override
    void check() {
        if (payload != null && (file != null || lines)) {
            throw CliException.usage("--payload excludes --file and --lines: the payload comes from one place");
        }
        request(List.of(item(new byte[0])));
    }

    private ProduceRequest request(List<NewItem> items) {
        return new ProduceRequest(items, timeout);
    }

    private NewItem item(byte[] bytes) {
        return new NewItem(bytes, encoding, kind, reference, enqueueAt == null ? When.now() : When.at(enqueueAt));
    }

    @Override
    int run(Queues queues, Output output) throws IOException {
        ItemQueue queue = queues.queue(queueName());
        return lines ? lines(queue, output) : one(queue, output);
    }

    private int one(ItemQueue queue, Output output) throws IOException {
        byte[] bytes = bytes();
        Produced produced = queue.produce(request(List.of(item(bytes))));
        List<String> ids = produced.ids().stream().map(ItemId::value).toList();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("queue_name", queueName());
        document.put("partition", produced.partition());
        document.put("ids", ids);
        output.answer(document, () -> ids.forEach(output::text));
        note("Successfully produced item with payload of " + bytes.length + " bytes");
        return ExitStatus.OK;
    }

    private byte[] bytes() throws IOException {
        if (payload != null) {
            return payload.getBytes(StandardCharsets.UTF_8);
        }
        try (InputStream in = Input.open(file)) {
            return in.readAllBytes();
        }
    }

    private int lines(ItemQueue queue, Output output) throws IOException {
        LineProducer producer = new LineProducer(items -> queue.produce(request(items)), this::note);
        try (InputStream in = Input.open(file)) {
            producer.produce(in, this::item);
        } catch (RuntimeException e) {
            note("Stopped after " + producer.count() + " items: those are produced, the rest is not");
            throw e;
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("queue_name", queueName());
        document.put("count", producer.count());
        document.put("bytes", producer.bytes());
        output.answer(document, () -> {});
        note("Successfully produced " + producer.count() + " items with payloads of " + producer.bytes() + " bytes");
        return ExitStatus.OK;
    }
}
