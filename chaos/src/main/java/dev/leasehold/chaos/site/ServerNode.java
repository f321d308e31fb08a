package dev.leasehold.chaos.site;

import dev.leasehold.chaos.site.ChildJvm.Program;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code leasehold server} in a JVM of its own, on both stores, always on the same port. */
public final class ServerNode {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private ServerNode() {}

    /** Starts a server of the site, whose files go to {@code directory}; returns when it answers. */
    public static URI start(Site site, Path directory, String name) {
        int port = Ports.free();
        Path config = directory.resolve(name + ".yaml");
        try {
            Files.writeString(config, configuration(site.urls(), port));
        } catch (IOException e) {
            throw new SiteException("could not write " + config, e);
        }
        site.servers().add(new Node(name, (incarnation, environment) -> start(site, config, incarnation, environment)));
        return URI.create("http://127.0.0.1:" + port);
    }

    private static ChildJvm start(Site site, Path config, String incarnation, Map<String, String> environment) {
        Map<String, String> variables = new HashMap<>(environment);
        variables.put("PGPASSWORD", site.urls().password());
        Program program = new Program(
                "dev.leasehold.cli.Main",
                List.of("server", "--config", config.toString(), "--log-level", "warn"),
                variables);
        ChildJvm jvm = ChildJvm.start(program, config.resolveSibling(incarnation + ".log"));
        jvm.awaitOutput("answers at", PATIENCE);
        return jvm;
    }

    private static String configuration(Urls urls, int port) {
        return """
                address: 127.0.0.1:%d
                logging:
                  handler: text
                partition-storage:
                  - name: first
                    driver: postgres
                    config:
                      connection-string: %s
                      max-conns: 10
                  - name: second
                    driver: postgres
                    config:
                      connection-string: %s
                      max-conns: 10
                """.formatted(port, withUser(urls.first(), urls.user()), withUser(urls.second(), urls.user()));
    }

    private static String withUser(String jdbc, String user) {
        return jdbc + "&user=" + user;
    }
}
