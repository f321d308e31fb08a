package dev.leasehold.cli.config;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.admin.QueueBounds;
import dev.leasehold.server.ServerOptions;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything the server is told, checked. Immutable; read by {@link ConfigLoader}.
 *
 * @param managementPort a port of their own for metrics and health; null for none
 * @param queueBounds how much one call may store in a queue or get out of it
 * @param labels env, region and version of this process, for the request log
 * @param queues the queues that are to be there
 * @param settings the same as text, with where each value came from
 */
public record Config(
        Address address,
        @Nullable Integer managementPort,
        Logging logging,
        ServerOptions.@Nullable Tls tls,
        ServerOptions.Limits limits,
        QueueBounds queueBounds,
        Authentication authentication,
        Storage storage,
        Map<String, String> labels,
        List<QueueConfig> queues,
        Settings settings) {
    /** How to log. */
    public record Logging(String handler, String level) {}

    public Config {
        labels = Map.copyOf(labels);
        queues = List.copyOf(queues);
    }
}
