package dev.leasehold.cli.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.LeaseholdException;
import dev.leasehold.cli.command.Futures;
import dev.leasehold.cli.command.Target;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.Locks;
import dev.leasehold.lock.direct.LockGrant;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The checks of a server over HTTP: its health, its version, and how long a lock takes there and back. */
final class ServerChecks {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int NOT_FOUND = 404;
    private static final String HEALTH = "health";

    private ServerChecks() {}

    /**
     * Verdicts by the name of the check.
     *
     * @param managementPort the port of its health; null if it has none of its own
     */
    static Map<String, Verdict> examine(Target target, @Nullable Integer managementPort) throws InterruptedException {
        Map<String, Verdict> verdicts = new LinkedHashMap<>(health(healthAddress(target, managementPort)));
        Verdict health = verdicts.get(HEALTH);
        if (health != null && health.level() != Verdict.Level.FAIL) {
            verdicts.put("locks", locks(target));
        }
        return verdicts;
    }

    private static String healthAddress(Target target, @Nullable Integer managementPort) {
        URI server = target.server();
        String base = managementPort == null
                ? server.toString().replaceAll("/+$", "")
                : server.getScheme() + "://" + server.getHost() + ":" + managementPort;
        return base + "/health";
    }

    private static Map<String, Verdict> health(String address) throws InterruptedException {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(address)).timeout(TIMEOUT).build();
            HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            return read(response.statusCode(), response.body());
        } catch (IOException | IllegalArgumentException e) {
            return Map.of(
                    HEALTH,
                    Verdict.fail(
                            address + " does not answer: " + e,
                            "start it with 'leasehold server', or name another address with --url"));
        }
    }

    static Map<String, Verdict> read(int status, String body) {
        if (status == NOT_FOUND) {
            return Map.of(
                    HEALTH,
                    Verdict.warn(
                            "not at this port (status 404)",
                            "name the server's management port with --management-port; without one, this may be another"
                                    + " server: check --url"));
        }
        Map<String, Verdict> verdicts = new LinkedHashMap<>();
        try {
            JsonNode health = JSON.readTree(body);
            String version = health.path("version").asText("");
            verdicts.put(HEALTH, health(status, health));
            verdicts.put("version", Verdict.ok(version.isEmpty() ? "not told" : version));
        } catch (JsonProcessingException e) {
            verdicts.put(
                    HEALTH,
                    Verdict.fail("status " + status + ", and no JSON", "this may be another server: check --url"));
        }
        return verdicts;
    }

    private static Verdict health(int status, JsonNode health) {
        String state = health.path("status").asText("unknown");
        String failures = health.findValues("output").stream()
                .map(JsonNode::asText)
                .distinct()
                .collect(Collectors.joining(", "));
        return status == 200 && state.equals("pass")
                ? Verdict.ok("pass")
                : Verdict.fail(
                        "status " + status + ", " + state + " " + failures,
                        "look into the log of the server, and run 'leasehold doctor' on its database");
    }

    /** Acquires a lock that nobody else uses and releases it, twice: the first time everything is cold. */
    private static Verdict locks(Target target) {
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
