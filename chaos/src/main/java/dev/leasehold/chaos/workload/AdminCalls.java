package dev.leasehold.chaos.workload;

import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.QueueFacts;
import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.ClearRequest;
import dev.leasehold.queue.admin.QueueListing;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The verbs of those who administer queues, each call recorded. */
final class AdminCalls {
    private final Queues queues;
    private final Recorder recorder;
    private final String worker;
    private final boolean isLibrary;

    AdminCalls(Client client, String worker) {
        this.queues = client.queues();
        this.recorder = client.recorder();
        this.worker = worker;
        this.isLibrary = client.isLibrary();
    }

    void create(QueueConfig config) {
        change(Operation.CREATE_QUEUE, config, () -> queues.create(config));
    }

    /** Changes a queue, if it is there. */
    void update(QueueConfig config) {
        try {
            queues.info(config.name());
        } catch (QueueException e) {
            return;
        }
        change(Operation.UPDATE_QUEUE, config, () -> queues.update(QueueUpdate.to(config)));
    }

    /** Over HTTP a queue that was deleted right after the change was made is told as one that is not there: then nobody knows. */
    private void change(Operation operation, QueueConfig config, Runnable work) {
        Recorder.Call call = recorder.invoke(worker, operation, config.name(), Facts.queue(facts(config)));
        try {
            work.run();
            call.ok();
        } catch (QueueException e) {
            boolean isRefused = e.code() == QueueErrorCode.ALREADY_EXISTS
                    || e.code() == QueueErrorCode.INVALID_ARGUMENT
                    || (isLibrary && e.code() == QueueErrorCode.NO_SUCH_QUEUE);
            end(call, isRefused, e);
        }
    }

    void clear(String queue, ClearRequest request) {
        call(Operation.CLEAR_QUEUE, queue, () -> queues.queue(queue).admin().clear(request));
    }

    void delete(String queue) {
        call(Operation.DELETE_QUEUE, queue, () -> queues.delete(queue));
    }

    private void call(Operation operation, String queue, Runnable work) {
        Recorder.Call call = recorder.invoke(worker, operation, queue, Facts.NONE);
        try {
            work.run();
            call.ok();
        } catch (QueueException e) {
            QueueCalls.end(call, e);
        }
    }

    /** An import is a produce, as far as anybody who checks must know. */
    void importItems(String queue, List<String> payloads) {
        List<ItemFacts> items = payloads.stream().map(ItemFacts::of).toList();
        Recorder.Call call = recorder.invoke(worker, Operation.PRODUCE, queue, Facts.items(items));
        try {
            List<StoredItem> stored = payloads.stream()
                    .map(payload -> StoredItem.of(payload.getBytes(StandardCharsets.UTF_8)))
                    .toList();
            List<StoredItem> done = queues.queue(queue).admin().importItems(0, stored);
            call.ok(Facts.items(known(items, done)).partition(0));
        } catch (QueueException e) {
            QueueCalls.end(call, e);
        }
    }

    private static List<ItemFacts> known(List<ItemFacts> items, List<StoredItem> stored) {
        List<ItemFacts> known = new ArrayList<>();
        for (ItemFacts item : items) {
            @Nullable ItemId id = stored.get(known.size()).id();
            known.add(item.id(Objects.requireNonNull(id).value()));
        }
        return known;
    }

    /** Which queues of this prefix there are. */
    void list(String prefix) {
        Recorder.Call call = recorder.invoke(worker, Operation.QUEUES, prefix, Facts.NONE);
        try {
            call.ok(Facts.items(found(prefix, queues.list(new QueueListing("", prefix, 0)))));
        } catch (QueueException e) {
            QueueCalls.end(call, e);
        }
    }

    static List<ItemFacts> found(String prefix, List<QueueInfo> queues) {
        return queues.stream()
                .filter(info -> info.name().startsWith(prefix))
                .map(info -> named(info.config()))
                .toList();
    }

    private static ItemFacts named(QueueConfig config) {
        ItemFacts name = ItemFacts.of(config.name());
        return config.hasDeadQueue() ? name.id(config.deadQueue()) : name;
    }

    private static void end(Recorder.Call call, boolean isRefused, QueueException e) {
        String why = e.code() + ": " + e.getMessage();
        if (isRefused) {
            call.fail(why);
        } else {
            call.unknown(why);
        }
    }

    private static QueueFacts facts(QueueConfig config) {
        return new QueueFacts(
                config.maxAttempts(), config.deadQueue(), config.expireTimeout().toNanos());
    }
}
