package dev.leasehold.chaos.site;

import dev.leasehold.cli.Main;
import dev.leasehold.testkit.process.ChildJvm;
import dev.leasehold.testkit.process.ChildJvm.Program;
import dev.leasehold.testkit.process.HarnessException;
import dev.leasehold.testkit.process.Ports;
import dev.leasehold.testkit.process.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** {@code leasehold server} in a JVM of its own, on both stores, always on the same port. */
public final class ServerNode {
    private ServerNode() {}

    /** Starts a server of the site, whose files go to {@code directory}; returns when it answers. */
    public static URI start(Site site, Path directory, String name) {
        int port = Ports.free();
        Path config = directory.resolve(name + ".yaml");
        try {
            Files.writeString(config, configuration(site.urls(), port));
        } catch (IOException e) {
            throw new HarnessException("could not write " + config, e);
        }
        site.servers().add(new Node(name, (incarnation, environment) -> start(site, config, incarnation, environment)));
        return URI.create("http://127.0.0.1:" + port);
    }

    private static ChildJvm start(Site site, Path config, String incarnation, Map<String, String> environment) {
        Map<String, String> variables = new HashMap<>(environment);
        variables.put("PGPASSWORD", site.urls().password());
        Program program = Program.of(Main.class, "server", "--config", config.toString(), "--log-level", "warn")
                .environment(variables)
                .property(Site.SURVEY_AFTER, Site.SURVEY_ITEMS);
        return ServerProcess.start(program, config.resolveSibling(incarnation + ".log"))
                .ready()
                .jvm();
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
