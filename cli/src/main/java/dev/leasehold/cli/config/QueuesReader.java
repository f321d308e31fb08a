package dev.leasehold.cli.config;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueRules;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** Reads the queues that are to be there. */
final class QueuesReader {
    private static final int MOST = Integer.MAX_VALUE;

    private final Settings settings;

    QueuesReader(Settings settings) {
        this.settings = settings;
    }

    List<QueueConfig> read() {
        return settings.elements("queues").stream().map(this::queue).toList();
    }

    private QueueConfig queue(String element) {
        String name = settings.required(element, "name").text();
        refusePlacement(element, name);
        try {
            QueueConfig defaults = QueueConfig.named(name);
            return new QueueConfig(
                    name,
                    defaults.namespace(),
                    or(element + ".lease-timeout", QueueRules::parseLeaseTimeout, defaults.leaseTimeout()),
                    or(element + ".expire-timeout", QueuesReader::expireTimeout, defaults.expireTimeout()),
                    settings.number(element + ".max-attempts", 0, -MOST, MOST),
                    settings.text(element + ".dead-queue", ""),
                    settings.text(element + ".reference", ""),
                    settings.number(element + ".requested-partitions", 1, -MOST, MOST),
                    settings.flag(element + ".discard-dead", false));
        } catch (QueueException e) {
            throw new ConfigException(element + " (" + settings.first(element).source() + "): " + e.getMessage());
        }
    }

    private static Duration expireTimeout(String text) {
        return text.equals("never") ? QueueConfig.NEVER : QueueRules.parseExpireTimeout(text);
    }

    private <T> T or(String key, Function<String, T> parse, T fallback) {
        return settings.text(key).map(parse).orElse(fallback);
    }

    /** Where partitions lie goes by the affinity of the stores; a file that says otherwise must not be half obeyed. */
    private void refusePlacement(String element, String name) {
        List<String> stores = settings.elements("partition-storage").stream()
                .flatMap(store -> settings.text(store + ".name").stream())
                .toList();
        for (String partition : settings.elements(element + ".partitions")) {
            settings.text(partition + ".storage-name")
                    .filter(store -> !stores.contains(store))
                    .ifPresent(store -> {
                        throw new ConfigException("invalid partition storage; queue '" + name + "' references '" + store
                                + "' which is undefined");
                    });
            throw new ConfigException(settings.first(partition).where()
                    + ": partitions are placed by the affinity of the stores here; use requested-partitions");
        }
    }
}
