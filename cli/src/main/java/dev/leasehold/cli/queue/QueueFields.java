package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.Output;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.spi.GoDuration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Answers about one queue for people. */
final class QueueFields {
    private QueueFields() {}

    static void show(QueueInfo info, Output output) {
        output.answer(QueueJson.of(info), () -> output.fields(fields(info)));
    }

    /** How long items may stay. */
    static String expiry(QueueConfig config) {
        return config.expires() ? GoDuration.format(config.expireTimeout()) : ExpiryConverter.NEVER;
    }

    private static Map<String, String> fields(QueueInfo info) {
        QueueConfig config = info.config();
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("queue", config.name());
        fields.put("namespace", config.namespace());
        fields.put("lease timeout", GoDuration.format(config.leaseTimeout()));
        fields.put("expire timeout", expiry(config));
        fields.put("max attempts", config.maxAttempts() == 0 ? "any number" : Integer.toString(config.maxAttempts()));
        fields.put("dead queue", Output.orNothing(config.deadQueue()));
        fields.put("reference", Output.orNothing(config.reference()));
        fields.put("partitions", Integer.toString(config.partitions()));
        fields.put("created", Output.moment(info.createdAt()));
        fields.put("updated", Output.moment(info.updatedAt()));
        return fields;
    }
}
