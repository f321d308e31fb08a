package dev.leasehold.bench.queue;

import dev.leasehold.bench.Contender;
import dev.leasehold.bench.Home;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The peers that run on Node: whether they can, and their packages, which are installed when they are first wanted. */
final class NodePeers {
    private static final List<String> FILES =
            List.of("package.json", "package-lock.json", "load.mjs", "graphile-worker.mjs", "pg-boss.mjs");
    private static final String FOLDER = "/dev/leasehold/bench/node/";
    private static final long INSTALL_MINUTES = 5;
    private static final @Nullable String ABSENCE = absence();

    private NodePeers() {}

    /** @param kind what its script is asked to do: produce, drain, steady or pickup */
    static Contender graphileWorker(String kind, Load load) {
        String settings = kind.equals("pickup")
                ? "8 connections, 4 concurrent jobs, no local queue"
                : "8 connections, 24 concurrent jobs, local queue of 500, completions in batches, addJobs for batches";
        return peer("graphile-worker", "0.17.3", settings, kind, load);
    }

    /** @param kind as for the other */
    static Contender pgBoss(String kind, Load load) {
        String settings = kind.equals("pickup")
                ? "8 connections, work() with its shortest polling interval, 0.5 s"
                : "8 connections, insert of batches, two loops that fetch and complete 1,000 at a time";
        return peer("pg-boss", "10.4.2", settings, kind, load);
    }

    private static Contender peer(String name, String version, String settings, String kind, Load load) {
        return ABSENCE != null
                ? Contender.absent(name, ABSENCE)
                : Contender.of(
                        name,
                        version,
                        settings + "; Node, in a process of its own",
                        (bench, variant) -> new NodeTrial(bench, name + ".mjs", kind, load.in(variant)));
    }

    private static @Nullable String absence() {
        return runs("node") && runs("npm") ? null : "not run: no node, or no npm";
    }

    private static boolean runs(String command) {
        try {
            Process process = new ProcessBuilder(command, "--version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The directory with the scripts and their packages. */
    static synchronized Path installed() throws IOException, InterruptedException {
        Path directory = Home.nodePeers();
        Files.createDirectories(directory);
        FILES.forEach(file -> unpack(file, directory));
        if (!Files.exists(directory.resolve("node_modules/.package-lock.json"))) {
            install(directory);
        }
        return directory;
    }

    private static void unpack(String file, Path directory) {
        try (InputStream in = NodePeers.class.getResourceAsStream(FOLDER + file)) {
            if (in == null) {
                throw new IllegalStateException("the jar is incomplete: " + file + " is missing");
            }
            Files.copy(in, directory.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void install(Path directory) throws IOException, InterruptedException {
        Path log = directory.resolve("npm.log");
        Process npm = new ProcessBuilder("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!npm.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES) || npm.exitValue() != 0) {
            npm.destroyForcibly();
            throw new IllegalStateException("npm could not install the peers; '" + log + "' says why");
        }
    }
}
