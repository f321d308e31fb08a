package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.BatchedStatement;
import dev.leasehold.postgres.internal.GroupCommit;
import dev.leasehold.postgres.internal.Listener;
import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.queue.spi.ItemStore.ReadyListener;
import dev.leasehold.queue.spi.ItemStore.Swept;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.spi.Timer;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies other nodes of partitions with ready items (NOTIFY), and passes their notifications on (LISTEN).
 *
 * <p>The first notification is sent at once; those of the next few milliseconds are sent in one message. None is part of the transaction
 * that made an item ready: PostgreSQL serializes commits that notify.
 */
final class ReadyNotifier implements BatchedStatement<String, Boolean> {
    private static final Logger log = LoggerFactory.getLogger(ReadyNotifier.class);
    private static final long PAUSE_NANOS = Duration.ofMillis(10).toNanos();
    private static final int MOST_IN_ONE = 200;

    private final String node = UUID.randomUUID().toString();
    private final String channel;
    private final Sql sql;
    private final GroupCommit groups;
    private final Timer timer;
    private final Listener listener;
    private final List<ReadyListener> listeners = new CopyOnWriteArrayList<>();
    private final Set<String> pending = new LinkedHashSet<>();
    private boolean pausing;

    /** @param listening creates the listener on a channel; it passes on payloads, and when it begins to listen */
    ReadyNotifier(
            QueueTables tables,
            GroupCommit groups,
            Timer timer,
            BiFunction<String, ReadyNotifier, Listener> listening) {
        this.channel = "leasehold_" + QueueHash.of(tables.queues());
        this.sql = Sql.load("queue/notify_ready", tables.placeholders());
        this.groups = groups;
        this.timer = timer;
        this.listener = listening.apply(channel, this);
    }

    void subscribe(ReadyListener listener) {
        listeners.add(listener);
    }

    /** A consumer of this node waits: listens for a while. */
    void want() {
        listener.want();
    }

    boolean isListening() {
        return listener.isListening();
    }

    void publish(List<PartitionRef> partitions) {
        boolean send;
        synchronized (this) {
            partitions.forEach(partition -> pending.add(partition.queue().uid() + ":" + partition.number()));
            send = !pausing;
            pausing = true;
        }
        if (send) {
            send();
        }
    }

    private void send() {
        List<String> now = new ArrayList<>();
        synchronized (this) {
            pending.stream().limit(MOST_IN_ONE).forEach(now::add);
            now.forEach(pending::remove);
            pausing = !now.isEmpty();
        }
        if (!now.isEmpty()) {
            try {
                groups.send(new PendingCall<>(this, node + " " + String.join(" ", now)), false);
            } finally {
                timer.after(PAUSE_NANOS, this::send);
            }
        }
    }

    /** Notifications from before may have been missed. */
    void listening() {
        listeners.forEach(ReadyListener::onMissed);
    }

    /** A call did this after it had failed for its caller. */
    void onLateResult(PartitionRef partition, @Nullable PartitionRef dead, Swept done) {
        listeners.forEach(listener -> listener.onLateResult(partition, dead, done));
    }

    void heard(String payload) {
        String[] words = payload.split(" ", -1);
        for (int i = 1; i < words.length && !words[0].equals(node); i++) {
            try {
                String[] parts = words[i].split(":", 2);
                long uid = Long.parseLong(parts[0]);
                int partition = Integer.parseInt(parts[1]);
                listeners.forEach(listener -> listener.onReady(uid, partition));
            } catch (RuntimeException e) {
                log.debug("event=unreadable_notification", e);
            }
        }
    }

    @Override
    public Sql sql(List<PendingCall<String, Boolean>> group) {
        return sql;
    }

    @Override
    public int maxGroup() {
        return 1;
    }

    @Override
    public Map<String, @Nullable Object> values(List<PendingCall<String, Boolean>> group) {
        return Map.of("channel", channel, "payload", group.get(0).request());
    }

    @Override
    public void answer(
            ResultSet rows, List<PendingCall<String, Boolean>> group, List<PendingCall<String, Boolean>> busy) {
        group.forEach(call -> call.succeed(true));
    }

    void close() {
        listener.close();
    }
}
