package dev.leasehold.cli.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.LeaseholdException;
import dev.leasehold.cli.verb.Futures;
import dev.leasehold.cli.verb.Target;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.Locks;
import dev.leasehold.lock.direct.LockGrant;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Looks at a server over HTTP: its health, its version, and how long a lock takes there and back. */
final class ServerDoctor {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final int NOT_FOUND = 404;

    private final Target target;
    private final @Nullable Integer managementPort;

    private ServerDoctor(Target target, @Nullable Integer managementPort) {
        this.target = target;
        this.managementPort = managementPort;
    }

    /** @param managementPort where its health is; null if it has no port of its own */
    static List<Finding> examine(Target target, @Nullable Integer managementPort) throws InterruptedException {
        ServerDoctor doctor = new ServerDoctor(target, managementPort);
        List<Finding> findings = new ArrayList<>(doctor.health());
        if (findings.get(0).verdict().level() != Verdict.Level.FAIL) {
            findings.add(new Finding("locks", doctor.locks()));
        }
        return findings;
    }

    private List<Finding> health() throws InterruptedException {
        URI health = URI.create(healthBase() + "/health");
        try {
            HttpResponse<String> answer = HttpClient.newBuilder()
                    .connectTimeout(PATIENCE)
                    .build()
                    .send(
                            HttpRequest.newBuilder(health).timeout(PATIENCE).build(),
                            HttpResponse.BodyHandlers.ofString());
            return read(answer.statusCode(), answer.body());
        } catch (IOException | IllegalArgumentException e) {
            return List.of(new Finding(
                    "health",
                    Verdict.fail(
                            health + " does not answer: " + e,
                            "start it with 'leasehold server', or name another address with --url")));
        }
    }

    private String healthBase() {
        URI server = target.server();
        return managementPort == null
                ? server.toString().replaceAll("/+$", "")
                : server.getScheme() + "://" + server.getHost() + ":" + managementPort;
    }

    static List<Finding> read(int status, String body) {
        if (status == NOT_FOUND) {
            return List.of(new Finding(
                    "health",
                    Verdict.warn(
                            "not at this port (status 404)",
                            "name the server's management port with --management-port; without one, this may be another"
                                    + " server: check --url")));
        }
        try {
            JsonNode health = JSON.readTree(body);
            String state = health.path("status").asText("unknown");
            Verdict verdict = status == 200 && state.equals("pass")
                    ? Verdict.ok("pass")
                    : Verdict.fail(
                            "status " + status + ", " + state + " " + String.join(", ", outputs(health)),
                            "look into the log of the server, and run 'leasehold doctor' on its database");
            String version = health.path("version").asText("");
            Finding told = new Finding("version", Verdict.ok(version.isEmpty() ? "not told" : version));
            return List.of(new Finding("health", verdict), told);
        } catch (JsonProcessingException e) {
            return List.of(new Finding(
                    "health",
                    Verdict.fail("status " + status + ", and no JSON", "this may be another server: check --url")));
        }
    }

    /** What failed checks say, each once. */
    private static Set<String> outputs(JsonNode health) {
        return health.findValues("output").stream()
                .map(JsonNode::asText)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Takes a lock that nobody else takes and gives it back, twice: the first time everything is cold. */
    private Verdict locks() {
        try (Locks locks = target.locks()) {
            roundTrip(locks);
            return Verdict.ok(String.format(Locale.ROOT, "acquired and released in %.1f ms", roundTrip(locks) / 1e6));
        } catch (LeaseholdException e) {
            return Verdict.fail(
                    "no lock could be acquired and released: " + e.getMessage(),
                    "check --token and its grants (this needs locks.write in the namespace 'leasehold-doctor'), and the"
                            + " server's database");
        }
    }

    private static long roundTrip(Locks locks) {
        long before = System.nanoTime();
        AcquireRequest request = AcquireRequest.of("leasehold-doctor:" + UUID.randomUUID());
        Optional<LockGrant> grant = Futures.await(locks.async().grant(request));
        grant.ifPresent(granted -> locks.byLockId().release(granted.lockId().value()));
        return System.nanoTime() - before;
    }
}
