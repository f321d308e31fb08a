package dev.leasehold.chaos.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;

/** Every workload there is, by name. */
@SuppressWarnings("ImmutableEnumChecker") // functions without state
public enum Workload {
    SET("read, change and write a shared set under locks that are too short: guarded, or by fence", Workload::sets),
    UNGUARDED_SET("the same without guard or fence: shows what is lost then", Workload::unguardedSets),
    LOCKS(
            "acquire, extend and release few keys, with waiters, beside a SyncGuard client, and some for long",
            Workload::locks),
    QUEUES(
            "produce, lease, complete, retry over queues, partitions and two stores, and consumers and queues that come and go",
            Workload::queues),
    TRANSACTIONS("orders become receipts and rows in one transaction", Workload::transactions);

    private final String description;
    private final Function<Client, List<Worker>> workers;

    Workload(String description, Function<Client, List<Worker>> workers) {
        this.description = description;
        this.workers = workers;
    }

    public String description() {
        return description;
    }

    /** The name on the command line: {@code unguarded-set}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The workload of that name. */
    public static Workload of(String text) {
        return Arrays.stream(values())
                .filter(workload -> workload.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no workload '" + text + "'; there are "
                        + String.join(
                                ", ",
                                Arrays.stream(values()).map(Workload::text).toList())));
    }

    /** Whether losses are what it is there to show. */
    public boolean isDemonstration() {
        return this == UNGUARDED_SET;
    }

    List<Worker> workers(Client client) {
        return workers.apply(client);
    }

    private static List<Worker> sets(Client client) {
        return List.of(
                new SetWorker(client, 31, true), new SetWorker(client, 32, true), new SetWorker(client, 33, true));
    }

    private static List<Worker> unguardedSets(Client client) {
        return List.of(new SetWorker(client, 41, false), new SetWorker(client, 42, false));
    }

    private static List<Worker> locks(Client client) {
        List<Worker> workers = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            workers.add(new ChurnWorker(client, i));
        }
        workers.add(new OtherClientWorker(client, 6));
        workers.add(new LongLockWorker(client, 7, client.locks()));
        workers.add(new LongLockWorker(client, 8, client.impatientLocks()));
        workers.add(new PatientLockWorker(client, 9));
        if (client.number() == 0) {
            workers.add(new KeepWorker(client, 10));
        }
        return workers;
    }

    private static List<Worker> queues(Client client) {
        Function<Random, String> queues = PipelineQueues.produced(client.prefix());
        List<Worker> workers = new ArrayList<>(administration(client));
        workers.addAll(List.of(
                new ProduceWorker(client, 11, queues),
                new ConsumeWorker(client, 12, queues),
                new ConsumeWorker(client, 13, queues),
                new ConsumeWorker(client, 14, random -> client.prefix() + "dead"),
                new ProduceWorker(client, 15, random -> ConsumerWorker.queue(client.prefix())),
                new ConsumerWorker(client, 16),
                new VolumeWorker(client, 17),
                new TrickleWorker(client, 18),
                new PatientConsumeWorker(client, 19)));
        return workers;
    }

    /** Some who create, change and delete queues, and some who use the same queues meanwhile. */
    static List<Worker> administration(Client client) {
        AdminQueues queues = new AdminQueues(client.prefix());
        return List.of(
                new AdminWorker(client, 51, queues),
                new AdminWorker(client, 52, queues),
                new ProduceWorker(client, 53, queues::any),
                new ConsumeWorker(client, 54, queues::any));
    }

    private static List<Worker> transactions(Client client) {
        return List.of(
                new ProduceWorker(client, 21, random -> Orders.orders(client.prefix())),
                new OrderWorker(client, 22),
                new OrderWorker(client, 23));
    }
}
