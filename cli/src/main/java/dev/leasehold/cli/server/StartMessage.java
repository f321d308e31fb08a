package dev.leasehold.cli.server;

import dev.leasehold.cli.BuildInfo;
import dev.leasehold.cli.config.Config;
import java.util.List;

/** What a server says when it has started: what it is, where the data is, and what to try. */
final class StartMessage {
    private static final String ANYWHERE = "0.0.0.0";

    private StartMessage() {}

    static List<String> lines(Config config, int port, String about) {
        String scheme = config.tls() == null ? "http" : "https";
        String host = config.address().host();
        String reachable = host.equals(ANYWHERE) ? "127.0.0.1" : host.contains(":") ? "[" + host + "]" : host;
        String url = scheme + "://" + reachable + ":" + port;
        String curl = "curl -s"
                + (config.tls() == null ? "" : " --cacert " + config.tls().certificate())
                + (hasCredentials(config) ? " -H \"Authorization: Bearer $KEY\"" : "");
        String post = curl + " -H 'Content-Type: application/json' " + url;
        return List.of(
                "Leasehold " + BuildInfo.version() + " answers at " + url,
                "Data: " + about,
                "",
                "Take a lock:   " + post + "/v1/lock.acquire -d '{\"key\": \"demo\", \"ttl\": \"30s\"}'",
                "Use a queue:   " + post + "/v1/queues.create -d '{\"queue_name\": \"demo\", \"lease_timeout\": \"1m\","
                        + " \"expire_timeout\": \"1h\", \"requested_partitions\": 1}'; " + post
                        + "/v1/queue.produce -d '{\"queue_name\": \"demo\", \"request_timeout\": \"5s\", \"items\":"
                        + " [{\"utf8\": \"hello\"}]}'",
                "Health:        " + curl + " " + management(config, url, scheme + "://" + reachable) + "/health",
                "");
    }

    private static boolean hasCredentials(Config config) {
        return !config.authentication().keys().isEmpty()
                || config.authentication().jwt() != null;
    }

    private static String management(Config config, String url, String host) {
        return config.managementPort() == null ? url : host + ":" + config.managementPort();
    }
}
