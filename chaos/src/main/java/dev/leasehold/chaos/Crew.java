package dev.leasehold.chaos;

import dev.leasehold.chaos.site.Node;
import dev.leasehold.chaos.site.ServerNode;
import dev.leasehold.chaos.site.Site;
import dev.leasehold.chaos.workload.ClientMain;
import dev.leasehold.chaos.workload.Workload;
import dev.leasehold.testkit.process.ChildJvm;
import dev.leasehold.testkit.process.ChildJvm.Program;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The servers and clients of a round, each in a JVM of its own. */
final class Crew {
    private static final int CLIENTS = 3;
    private static final Duration START = Duration.ofMinutes(3);
    private static final Duration STOP = Duration.ofMinutes(2);
    private static final int MOST_MEGABYTES = 64;
    private static final int MOST_OUTPUT = 600;

    private final Site site;
    private final Plan plan;
    private final Path directory;
    private final String prefix;
    private final List<URI> servers = new ArrayList<>();

    Crew(Site site, Plan plan, Path directory, String prefix) {
        this.site = site;
        this.plan = plan;
        this.directory = directory;
        this.prefix = prefix;
    }

    /** Starts them all; returns when all work. */
    void start() {
        for (int i = 1; i <= plan.access().servers(); i++) {
            servers.add(ServerNode.start(site, directory, prefix + "server-" + i));
        }
        for (int i = 0; i < CLIENTS; i++) {
            int number = i;
            site.clients()
                    .add(new Node(
                            prefix + "client-" + i, (name, environment) -> startClient(number, name, environment)));
        }
    }

    private ChildJvm startClient(int number, String name, Map<String, String> environment) {
        Map<String, String> variables = new HashMap<>(site.urls().environment());
        variables.putAll(environment);
        String workloads =
                plan.workloads().stream().map(Workload::text).sorted().collect(Collectors.joining(","));
        String addresses = plan.access().isHttp(number)
                ? servers.stream().map(URI::toString).collect(Collectors.joining(","))
                : "";
        long seed = plan.seed() * 1000 + number;
        Program program = Program.of(
                        ClientMain.class,
                        workloads,
                        name,
                        prefix,
                        Long.toString(seed),
                        directory.resolve(name + ".jsonl").toString(),
                        addresses)
                .environment(variables)
                .property(Site.SURVEY_AFTER, Site.SURVEY_ITEMS);
        ChildJvm jvm = ChildJvm.start(program, directory.resolve(name + ".log"));
        jvm.awaitOutput(Pattern.compile(ClientMain.READY, Pattern.LITERAL), START);
        return jvm;
    }

    /** Stops them all, clients first; tells who would not, and who left something behind. */
    List<String> stop() {
        List<String> complaints = new ArrayList<>();
        site.clients().forEach(client -> client.jvm().hangUp());
        for (Node client : site.clients()) {
            complaints.addAll(stop(client));
        }
        site.clients().clear();
        site.servers().forEach(server -> server.jvm().terminate(Duration.ZERO));
        for (Node server : site.servers()) {
            if (!server.jvm().terminate(STOP)) {
                complaints.add(hangs(server));
            }
        }
        site.servers().clear();
        return complaints;
    }

    private static List<String> stop(Node client) {
        boolean ended = client.jvm().awaitEnd(STOP);
        if (!ended) {
            return List.of(hangs(client));
        }
        String output = client.jvm().output();
        boolean isClean = client.jvm().exitStatus() == 0 && output.contains(ClientMain.CLEAN);
        if (!isClean) {
            return List.of(client.name() + " did not end well, with status "
                    + client.jvm().exitStatus() + ": " + tail(output));
        }
        Matcher used = ClientMain.USED.matcher(output);
        return used.find() && Long.parseLong(used.group(1)) > MOST_MEGABYTES
                ? List.of(client.name() + " had " + used.group(1) + " MB left in use when all was closed")
                : List.of();
    }

    private static String hangs(Node node) {
        node.jvm().dumpThreads();
        String complaint = node.name() + " does not stop; its log has a thread dump: "
                + tail(node.jvm().output());
        node.close();
        return complaint;
    }

    private static String tail(String output) {
        return output.length() <= MOST_OUTPUT ? output : output.substring(output.length() - MOST_OUTPUT);
    }
}
