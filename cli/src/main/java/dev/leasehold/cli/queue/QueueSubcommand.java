package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.CliCommand;
import dev.leasehold.cli.command.Output;
import dev.leasehold.cli.command.OutputFormat;
import dev.leasehold.cli.command.Target;
import dev.leasehold.queue.Queues;
import dev.leasehold.server.auth.Permission;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;

/** A command that works with queues. */
abstract class QueueSubcommand extends CliCommand {
    private static final Set<Permission> ANY =
            Set.of(Permission.QUEUES_PRODUCE, Permission.QUEUES_CONSUME, Permission.QUEUES_ADMIN);
    private static final Set<Permission> CONSUME = Set.of(Permission.QUEUES_CONSUME);

    /** The permissions that a server asks for, of which one is enough; for all other commands {@code queues.admin}. */
    private static final Map<String, Set<Permission>> NEEDED = Map.ofEntries(
            Map.entry("list", ANY),
            Map.entry("info", ANY),
            Map.entry("stats", ANY),
            Map.entry("produce", Set.of(Permission.QUEUES_PRODUCE)),
            Map.entry("consume", CONSUME),
            Map.entry("lease", CONSUME),
            Map.entry("complete", CONSUME),
            Map.entry("retry", CONSUME),
            Map.entry("extend", CONSUME),
            Map.entry("give-back", CONSUME));

    @Mixin
    private final Target target = new Target();

    @Mixin
    private final OutputFormat format = new OutputFormat();

    @Override
    protected final int run() throws IOException {
        check();
        try (Queues queues = target.queues()) {
            return run(queues);
        }
    }

    @Override
    protected final String neededPermission() {
        return NEEDED.getOrDefault(spec().name(), Set.of(Permission.QUEUES_ADMIN)).stream()
                .map(Permission::text)
                .sorted()
                .collect(Collectors.joining(" or ", "", " in " + namespaceForPeople()));
    }

    /** Where the permission is needed. */
    abstract String namespaceForPeople();

    static String named(String namespace) {
        return "the namespace '" + (namespace.isEmpty() ? "_system" : namespace) + "'";
    }

    final OutputFormat format() {
        return format;
    }

    /** Refuses what can be seen to be wrong without asking anybody. */
    void check() throws IOException {}

    /** Does the work; overridden by commands that show it again and again. */
    int run(Queues queues) throws IOException {
        return run(queues, format.output(spec().commandLine()));
    }

    abstract int run(Queues queues, Output output) throws IOException;
}
