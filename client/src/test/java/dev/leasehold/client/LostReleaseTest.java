package dev.leasehold.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.testkit.TestWaits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lock whose release got no reply is released in the background, and does not stay locked until its ttl is over. */
@Tag("slow")
@Timeout(TestWaits.TEST_LIMIT)
class LostReleaseTest {
    private static final Duration TTL = Duration.ofHours(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private volatile boolean isLosing;
    private volatile boolean isSilent;
    private final MemoryLocks atServer = MemoryLocks.create();
    private final LeaseholdServer server =
            LeaseholdServer.start(ServerOptions.DEFAULT.address("127.0.0.1", 0), atServer, MemoryQueues.create());
    private final HttpClient forwarder = HttpClient.newHttpClient();
    private final StubServer proxy = new StubServer(request -> isLosing ? lose() : forward(request));
    private final CountDownLatch delay = new CountDownLatch(1);
    private final List<Throwable> reported = new CopyOnWriteArrayList<>();
    private final HttpLocks client = HttpLocks.builder(proxy.address())
            .timeout(TIMEOUT)
            .options(options -> options.ttl(TTL).onReleaseError((error, context) -> reported.add(error)))
            .build();

    LostReleaseTest() throws IOException {}

    @AfterEach
    void close() throws IOException {
        delay.countDown();
        client.close();
        proxy.close();
        server.close();
        atServer.close();
    }

    /** The connection ends, and the server never gets the request. */
    private @Nullable String lose() {
        if (isSilent) {
            HttpFailuresTest.awaitQuietly(delay);
        }
        return null;
    }

    private String forward(StubServer.Seen request) {
        HttpRequest toServer = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + request.path()))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(request.body()))
                .build();
        HttpResponse<String> reply = TestWaits.get(forwarder.sendAsync(toServer, HttpResponse.BodyHandlers.ofString()));
        return StubServer.json(reply.statusCode(), reply.body());
    }

    private HeldLock acquire(AcquireRequest request) {
        return TestWaits.await()
                .ignoreExceptionsInstanceOf(LockException.class) // a busy machine may take longer than the timeout
                .until(() -> client.tryAcquire(request.withoutRenewal()), lock -> lock.isPresent())
                .orElseThrow();
    }

    private void awaitFree(String key) {
        TestWaits.await().until(() -> !atServer.isLocked(key));
    }

    @Test
    void a_lock_whose_release_was_lost_is_released_when_the_server_is_back() {
        HeldLock lock = acquire(AcquireRequest.of("ledger:7"));
        isLosing = true;
        lock.close();
        assertThat(reported).hasSize(1);
        assertThat(atServer.isLocked("ledger:7")).isTrue();
        isLosing = false;
        awaitFree("ledger:7");
    }

    @Test
    void a_lock_whose_release_was_not_answered_in_time_is_released_later() {
        HeldLock lock = acquire(AcquireRequest.of("ledger:7"));
        isSilent = true;
        isLosing = true;
        LockException late = catchThrowableOfType(LockException.class, lock::release);
        assertThat(late.code()).isEqualTo(LockErrorCode.NETWORK_TIMEOUT);
        assertThat(atServer.isLocked("ledger:7")).isTrue();
        isLosing = false;
        delay.countDown();
        awaitFree("ledger:7");
    }

    @Test
    void a_lock_that_its_holder_may_have_acquired_again_is_left_alone() {
        HeldLock shared = acquire(AcquireRequest.of("shared").holder(Holder.of("billing", "node-1")));
        HeldLock own = acquire(AcquireRequest.of("own"));
        isLosing = true;
        shared.close();
        own.close();
        isLosing = false;
        awaitFree("own");
        assertThat(atServer.isLocked("shared")).isTrue();
    }

    @Test
    void a_lock_that_is_acquired_again_with_its_lock_id_is_not_released_in_the_background() {
        HeldLock lock = acquire(AcquireRequest.of("again"));
        HeldLock other = acquire(AcquireRequest.of("other"));
        isLosing = true;
        lock.close();
        other.close();
        isLosing = false;
        acquire(AcquireRequest.of("again").lockId(lock.lockId()));
        awaitFree("other");
        assertThat(atServer.isLocked("again")).isTrue();
    }

    @Test
    void a_client_that_is_closed_tries_once_more() {
        HeldLock lock = acquire(AcquireRequest.of("ledger:7"));
        isLosing = true;
        lock.close();
        isLosing = false;
        client.close();
        assertThat(atServer.isLocked("ledger:7")).isFalse();
    }
}
