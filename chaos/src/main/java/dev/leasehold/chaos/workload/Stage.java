package dev.leasehold.chaos.workload;

import dev.leasehold.chaos.check.Violation;
import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.QueueFacts;
import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.chaos.site.Database;
import dev.leasehold.chaos.site.Site;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.QueueListing;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.testkit.process.HarnessException;
import dev.leasehold.testkit.process.Polling;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is set up before a round begins, and looked at when it is over: by the harness itself, while nothing goes wrong. */
public final class Stage {
    private static final String HARNESS = "harness";

    /** Much longer than all times of the workloads. */
    private static final Duration QUIET = Duration.ofMinutes(1);

    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Site site;
    private final Set<Workload> workloads;
    private final String prefix;
    private final Recorder recorder;

    public Stage(Site site, Set<Workload> workloads, String prefix, Recorder recorder) {
        this.site = site;
        this.workloads = Set.copyOf(workloads);
        this.prefix = prefix;
        this.recorder = recorder;
    }

    /** Makes the tables and queues that the clients will need. */
    public void prepare() {
        site.database().executeIn(Site.FIRST, SetTable.CREATE, Orders.CREATE);
        for (String key : sets()) {
            site.database().executeIn(Site.FIRST, "insert into chaos_set values ('" + key + "', 0, '{}')");
        }
        try (PostgresQueues both = queues(1);
                PostgresQueues first = queues(0)) {
            pipeline().forEach(config -> create(both, config));
            orders().forEach(config -> create(first, config));
        }
    }

    /** Writes into the history what is left of everything, and says what does not balance. */
    public List<Violation> finish() {
        for (String key : sets()) {
            left(
                    key,
                    site.database().ask(Site.FIRST, "select unnest(members) from chaos_set where key = '" + key + "'"));
        }
        try (PostgresQueues queues = queues(1)) {
            List<QueueInfo> administered = administered(queues);
            List<Violation> found = new ArrayList<>(awaitQuiet(queues, administered));
            pipeline().forEach(config -> left(config.name(), queues));
            administered.forEach(info -> left(info.name(), queues));
            if (workloads.contains(Workload.TRANSACTIONS)) {
                Set<String> open = left(Orders.orders(prefix), queues);
                Set<String> receipts = left(Orders.receipts(prefix), queues);
                found.addAll(balance(open, receipts));
            }
            found.addAll(endOf(administered, queues));
            return found;
        }
    }

    /** The queues that are left of those that came and went. */
    private List<QueueInfo> administered(PostgresQueues queues) {
        if (!workloads.contains(Workload.QUEUES)) {
            return List.of();
        }
        String names = AdminQueues.names(prefix);
        Recorder.Call call = recorder.invoke(HARNESS, Operation.QUEUES, names, Facts.NONE);
        List<QueueInfo> infos = queues.list(new QueueListing("", names, 0)).stream()
                .filter(info -> info.name().startsWith(names))
                .toList();
        call.ok(Facts.items(AdminCalls.found(names, infos)));
        return infos;
    }

    private List<Violation> endOf(List<QueueInfo> administered, PostgresQueues queues) {
        if (!workloads.contains(Workload.QUEUES)) {
            return List.of();
        }
        AdminEnd end = new AdminEnd(queues, QUIET);
        List<Violation> found = new ArrayList<>(end.checkServing(administered));
        found.addAll(end.delete(administered));
        Database database = site.database();
        Remains remains = new Remains(
                query -> database.ask(Site.FIRST, query),
                Map.of(Site.SECOND, query -> database.ask(Site.SECOND, query)));
        found.addAll(remains.check(QUIET));
        return found;
    }

    /** Until every lease has ended, every scheduled item is ready, and what has little time is gone: then nothing moves any more. */
    private List<Violation> awaitQuiet(PostgresQueues queues, List<QueueInfo> administered) {
        List<QueueConfig> all = Stream.of(
                        pipeline().stream(),
                        orders().stream(),
                        administered.stream().map(QueueInfo::config))
                .flatMap(configs -> configs)
                .toList();
        try {
            Polling.await(
                    "queues in which nothing moves",
                    QUIET,
                    () -> all.stream().allMatch(config -> isQuiet(config, queues)));
            return List.of();
        } catch (HarnessException e) {
            return List.of(new Violation(
                    "Overdue",
                    "a lease, a scheduled item or an item without time left was still there " + QUIET.toSeconds()
                            + " s after the last call, in one of "
                            + all.stream()
                                    .filter(config -> !isQuiet(config, queues))
                                    .map(QueueConfig::name)
                                    .toList(),
                    List.of()));
        }
    }

    private static boolean isQuiet(QueueConfig config, PostgresQueues queues) {
        boolean endures = config.expireTimeout().compareTo(QUIET) > 0;
        return queues.queue(config.name()).stats().partitions().stream()
                .allMatch(part -> part.totalLeased() == 0 && part.scheduled() == 0 && (endures || part.total() == 0));
    }

    private List<Violation> balance(Set<String> open, Set<String> receipts) {
        List<String> ledger = site.database()
                .ask(Site.FIRST, "select entry from chaos_ledger where entry like '" + prefix + "%' order by entry");
        left(Orders.ledger(prefix), ledger);
        return Balance.check(open, receipts, ledger);
    }

    private List<String> sets() {
        List<String> keys = new ArrayList<>();
        if (workloads.contains(Workload.SET) || workloads.contains(Workload.UNGUARDED_SET)) {
            SetWorker.keys(prefix).forEach(key -> keys.addAll(List.of(key, SetWorker.fencedKey(key))));
        }
        return keys;
    }

    private List<QueueConfig> pipeline() {
        return workloads.contains(Workload.QUEUES) ? PipelineQueues.of(prefix) : List.of();
    }

    private List<QueueConfig> orders() {
        return workloads.contains(Workload.TRANSACTIONS) ? Orders.queues(prefix) : List.of();
    }

    private PostgresQueues queues(int secondAffinity) {
        return PostgresQueues.builder()
                .store("first", 1, site.direct(Site.FIRST))
                .store("second", secondAffinity, site.direct(Site.SECOND))
                .options(options ->
                        options.lookInterval(LOOK)) // so that deletes of those who were killed are soon finished
                .build();
    }

    private void create(PostgresQueues queues, QueueConfig config) {
        Recorder.Call call = recorder.invoke(HARNESS, Operation.CREATE_QUEUE, config.name(), Facts.NONE);
        queues.create(config);
        call.ok(Facts.queue(new QueueFacts(
                config.maxAttempts(), config.deadQueue(), config.expireTimeout().toNanos())));
    }

    private void left(String subject, List<String> payloads) {
        Recorder.Call call = recorder.invoke(HARNESS, Operation.LEFT, subject, Facts.NONE);
        call.ok(Facts.items(payloads.stream().map(ItemFacts::of).toList()));
    }

    private Set<String> left(String name, PostgresQueues queues) {
        Recorder.Call call = recorder.invoke(HARNESS, Operation.LEFT, name, Facts.NONE);
        ItemQueue queue = queues.queue(name);
        List<ItemFacts> items = new ArrayList<>();
        for (int partition = 0; partition < queue.admin().stats().partitions().size(); partition++) {
            int number = partition;
            all(number, listing -> queue.admin().list(listing), items);
            all(number, listing -> queue.admin().listScheduled(listing), items);
        }
        call.ok(Facts.items(items));
        Set<String> payloads = new HashSet<>();
        items.forEach(item -> payloads.add(item.payload()));
        return payloads;
    }

    private interface Lister {
        List<StoredItem> list(ItemListing listing);
    }

    /** Page by page; a page begins with the last item of the one before. */
    private static void all(int partition, Lister lister, List<ItemFacts> items) {
        ItemId last = null;
        while (true) {
            List<StoredItem> page = lister.list(
                    last == null
                            ? ItemListing.of(partition)
                            : ItemListing.of(partition).from(last));
            ItemId end = page.isEmpty() ? null : page.get(page.size() - 1).id();
            for (StoredItem item : page) {
                if (last == null || !last.equals(item.id())) {
                    items.add(fact(item));
                }
            }
            if (end == null || end.equals(last)) {
                return;
            }
            last = end;
        }
    }

    private static ItemFacts fact(StoredItem item) {
        @Nullable ItemId id = item.id();
        return ItemFacts.of(new String(item.payload(), StandardCharsets.UTF_8))
                .id(String.valueOf(id))
                .attempts(item.attempts());
    }
}
