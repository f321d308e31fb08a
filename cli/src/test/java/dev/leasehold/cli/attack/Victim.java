package dev.leasehold.cli.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CommandProcess;
import dev.leasehold.testkit.OwnPostgres;
import dev.leasehold.testkit.TestWaits;
import dev.leasehold.testkit.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A server in a process of its own, with a heap of 256 MB, an embedded PostgreSQL and one API key, that attacks are run against.
 *
 * <p>It knows how it was before ({@link #start}), and says whether it is so again ({@link #assertRecovered}): a normal client is
 * served, every thread of Leasehold is still there, and descriptors, bodies in flight and heap have come back.
 */
final class Victim implements AutoCloseable {
    static final String KEY = "attack-test-key-0123456789abcdef";

    private static final Duration RECOVERY = Duration.ofSeconds(90);
    private static final Duration CALL = Duration.ofSeconds(20);
    private static final long MORE_HEAP = 64L << 20;
    private static final int MORE_FILES = 64;
    private static final Pattern THREAD = Pattern.compile("(?m)^\"(leasehold-[^\"]+)\"");
    private static final Pattern HEAP =
            Pattern.compile("(?m)^ *(?:garbage-first heap|def new|tenured|PSYoungGen|ParOldGen).*used (\\d+)K");

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ServerProcess server;
    private Set<String> threads = Set.of();
    private long files;
    private long heap;

    private Victim(ServerProcess server) {
        this.server = server;
    }

    /** Starts one; returns when it serves. */
    static Victim start(Path directory) throws Exception {
        Path data = OwnPostgres.dataDirectory(directory.resolve("data"));
        Path file = Files.writeString(directory.resolve("leasehold.yaml"), """
                auth:
                  keys:
                    - name: normal
                      sha256: %s
                      grants:
                        - namespace: "*"
                          permissions: [locks.read, locks.write, locks.admin, queues.produce, queues.consume, queues.admin]
                """.formatted(sha256(KEY)));
        ServerProcess server = ServerProcess.start(CommandProcess.of(
                        "server", "--address=127.0.0.1:0", "--data-dir=" + data, "--config=" + file)
                .options("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"));
        Victim victim = new Victim(server.ready());
        victim.remember();
        return victim;
    }

    private static String sha256(String text) throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(hash);
    }

    /** Uses it once, so that every thread and connection that it needs is there, and remembers how it is then. */
    private void remember() {
        post("/v1/queues.create", """
                {"queue_name": "attacked", "lease_timeout": "1m", "expire_timeout": "1h", "requested_partitions": 1}""");
        awaitNormalCalls();
        threads = threads();
        files = files();
        heap = heap();
    }

    URI uri() {
        return server.uri();
    }

    int port() {
        return uri().getPort();
    }

    /** Waits until a normal client gets through all its calls: takes a lock, releases it, produces, leases and completes. */
    void awaitNormalCalls() {
        TestWaits.await()
                .atMost(RECOVERY)
                .pollInterval(Duration.ofMillis(100))
                .ignoreExceptionsInstanceOf(UncheckedIOException.class)
                .until(this::isServing);
    }

    private boolean isServing() {
        assertThat(server.jvm().isAlive()).as(server.output()).isTrue();
        HttpResponse<String> granted = post("/v1/lock.acquire", "{\"key\": \"normal\", \"ttl\": \"1m\"}");
        if (granted.statusCode() != 200) {
            return false;
        }
        String id = granted.body().replaceFirst("(?s).*\"lock_id\":\"([^\"]+)\".*", "$1");
        return post("/v1/lock.release", "{\"lock_id\": \"" + id + "\"}").statusCode() == 200 && isQueueServing();
    }

    private boolean isQueueServing() {
        HttpResponse<String> produced = post("/v1/queue.produce", """
                {"queue_name": "attacked", "request_timeout": "10s", "items": [{"utf8": "x"}]}""");
        HttpResponse<String> leased = post("/v1/queue.lease", """
                {"queue_name": "attacked", "client_id": "normal", "batch_size": 1, "request_timeout": "10s"}""");
        if (produced.statusCode() != 200 || leased.statusCode() != 200) {
            return false;
        }
        String id = leased.body().replaceFirst("(?s).*\"id\":\"([^\"]+)\".*", "$1");
        return post(
                                "/v1/queue.complete",
                                "{\"queue_name\": \"attacked\", \"request_timeout\": \"10s\", \"ids\": [\"" + id
                                        + "\"]}")
                        .statusCode()
                == 200;
    }

    /** A call of the normal client. */
    HttpResponse<String> post(String path, String json) {
        return send(HttpRequest.newBuilder(uri().resolve(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json)));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(
                    request.header("Authorization", "Bearer " + KEY)
                            .timeout(CALL)
                            .build(),
                    BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Checks that a normal client is served while all of them are there, and that the server recovers when they have left. */
    void withstands(Crowd crowd) {
        try (crowd) {
            awaitNormalCalls();
        }
        assertRecovered();
    }

    /** Waits until it is as it was before the attack. */
    void assertRecovered() {
        awaitNormalCalls();
        assertThat(threads()).as("threads of the server").containsAll(threads);
        TestWaits.await().atMost(RECOVERY).until(() -> files() <= files + MORE_FILES);
        TestWaits.await().atMost(RECOVERY).until(() -> metric("leasehold_body_bytes") == 0);
        TestWaits.await().atMost(RECOVERY).pollInterval(Duration.ofSeconds(1)).until(() -> heap() <= heap + MORE_HEAP);
    }

    /** A number out of the metrics page; the sum, if it has several labels. */
    double metric(String name) {
        String page = send(HttpRequest.newBuilder(uri().resolve("/metrics"))).body();
        Matcher line = Pattern.compile("(?m)^" + Pattern.quote(name) + "(?:\\{[^}]*})? (\\S+)$")
                .matcher(page);
        return line.results()
                .mapToDouble(found -> Double.parseDouble(found.group(1)))
                .sum();
    }

    /** The names of Leasehold's own threads, without their numbers: pools may replace an idle thread by another. */
    Set<String> threads() {
        return THREAD.matcher(jcmd("Thread.print"))
                .results()
                .map(found -> found.group(1).replaceFirst("-\\d+$", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The bytes of the heap that are in use after a collection. */
    long heap() {
        jcmd("GC.run");
        return HEAP.matcher(jcmd("GC.heap_info"))
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)) << 10)
                .sum();
    }

    /** How many files it has open. */
    long files() {
        try (Stream<Path> open =
                Files.list(Path.of("/proc", Long.toString(server.jvm().pid()), "fd"))) {
            return open.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String jcmd(String command) {
        try {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(server.jvm().pid()),
                            command)
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
