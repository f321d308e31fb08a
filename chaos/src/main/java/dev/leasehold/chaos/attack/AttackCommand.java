package dev.leasehold.chaos.attack;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code leasehold chaos attack}: hostile traffic beside a normal client. */
@Command(
        name = "attack",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Attack a server with a heap of 256 MB while a normal client uses it, and check that the client is served in time,",
            "that nothing acknowledged is lost, and that the memory does not grow.",
            "Everything runs on this machine, in processes of its own, and ends by itself.",
            "Exit status: 0 if all is well, 1 if a promise was broken, 2 if nothing can be said."
        })
public final class AttackCommand implements Callable<Integer> {
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    @Option(names = "--minutes", defaultValue = "5", description = "For how long (default 5).")
    private double minutes;

    @Option(
            names = "--connections",
            defaultValue = "1000",
            description = "How many connections each of two crowds opens (default 1000).")
    private int connections;

    @Option(
            names = "--limit",
            defaultValue = "2",
            description = "How many seconds a call of the normal client may take (default 2).")
    private double limit;

    @Option(names = "--seed", description = "The dice: the same attacks in the same order.")
    private @Nullable Long seed;

    @Option(names = "--keep", paramLabel = "DIR", description = "Where the server's files go; they stay there.")
    private @Nullable Path keep;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec == null
                ? new PrintWriter(System.out, true, StandardCharsets.UTF_8)
                : spec.commandLine().getOut();
        long dice = seed == null ? ThreadLocalRandom.current().nextInt(1, 1_000_000) : seed;
        Path directory = keep == null ? Files.createTempDirectory("leasehold-attack") : Files.createDirectories(keep);
        int possible = (int) Math.min(connections, Crowd.possible() / 2);
        out.println("seed " + dice + ", two crowds of " + possible + " connections, files in " + directory);
        List<String> broken;
        try (Victim victim = Victim.start(directory)) {
            broken = new HostileRun(victim, possible, dice).run(millis(minutes * 60), INTERVAL, millis(limit), line -> {
                out.println(line);
                out.flush();
            });
        }
        broken.forEach(promise -> out.println("broken: " + promise));
        out.println(broken.isEmpty() ? "no promise was broken" : "again with: ./leasehold chaos attack --seed " + dice);
        return broken.isEmpty() ? 0 : 1;
    }

    private static Duration millis(double seconds) {
        return Duration.ofMillis((long) (seconds * 1_000));
    }
}
