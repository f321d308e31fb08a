package dev.leasehold.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.testkit.TestWaits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a client says and does when the server, or what stands before it, does not answer as it should. */
@Tag("slow")
class HttpFailuresTest {
    private static final Duration SHORT = Duration.ofMillis(300);

    @Test
    void a_server_that_is_not_there_is_unavailable() throws IOException {
        try (HttpLocks locks = HttpLocks.builder(nobody()).build();
                HttpQueues queues = HttpQueues.builder(nobody()).build()) {
            LockException error = failure(() -> locks.isLocked("ledger:7"));
            assertThat(error.code()).isEqualTo(LockErrorCode.SERVICE_UNAVAILABLE);
            assertThat(error).hasMessageContaining("http://127.0.0.1:").hasMessageContaining("cannot be reached");
            QueueException queueError = catchThrowableOfType(
                    QueueException.class, () -> queues.queue("q").produce(NewItem.of("a")));
            assertThat(queueError.code()).isEqualTo(QueueErrorCode.SERVICE_UNAVAILABLE);
        }
    }

    @Test
    void a_server_that_does_not_answer_is_a_timeout() throws IOException {
        CountDownLatch over = new CountDownLatch(1);
        try (StubServer server = new StubServer(request -> {
                    awaitQuietly(over);
                    return null;
                });
                HttpLocks locks =
                        HttpLocks.builder(server.address()).timeout(SHORT).build()) {
            LockException error = failure(() -> locks.isLocked("ledger:7"));
            over.countDown();
            assertThat(error.code()).isEqualTo(LockErrorCode.NETWORK_TIMEOUT);
            assertThat(error).hasMessageStartingWith("No answer came within 300ms");
        }
    }

    @Test
    void the_error_page_of_a_proxy_is_told_in_plain_words() throws IOException {
        String page = "<html><head><title>x</title><style>p {}</style></head><body><h1>Bad Gateway</h1></body></html>";
        try (StubServer server = new StubServer(request -> StubServer.answer(502, "text/html; charset=utf-8", page));
                HttpLocks locks = HttpLocks.builder(server.address()).build()) {
            LockException error = failure(() -> locks.isLocked("ledger:7"));
            assertThat(error.code()).isEqualTo(LockErrorCode.SERVICE_UNAVAILABLE);
            assertThat(error)
                    .hasMessage("The answer does not come from a Leasehold server: status 502, text/html,"
                            + " \"Bad Gateway\"");
        }
    }

    @Test
    void a_refused_credential_is_told_and_never_shown() throws IOException {
        String reply = "{\"code\":401,\"message\":\"who are you?\",\"details\":{\"error\":\"AuthFailed\"}}";
        try (StubServer server = new StubServer(request -> StubServer.json(401, reply));
                HttpLocks locks =
                        HttpLocks.builder(server.address()).token("s3cret").build()) {
            LockException error = failure(() -> locks.isLocked("ledger:7"));
            assertThat(error.code()).isEqualTo(LockErrorCode.AUTH_FAILED);
            assertThat(error).hasMessage("who are you?");
            assertThat(server.seen().get(0).head()).contains("Authorization: Bearer s3cret");
        }
    }

    @Test
    void a_question_is_asked_again_when_the_connection_fails() throws IOException {
        try (StubServer server = new StubServer(
                        request -> request.number() < 2 ? null : StubServer.json(200, "{\"locked\":true}"));
                HttpLocks locks = HttpLocks.builder(server.address()).build()) {
            assertThat(locks.isLocked("ledger:7")).isTrue();
            assertThat(server.seen()).hasSize(3);
        }
    }

    @Test
    void a_produce_whose_answer_was_lost_is_not_sent_again() throws IOException {
        try (StubServer server = new StubServer(request -> null);
                HttpQueues queues = HttpQueues.builder(server.address()).build()) {
            QueueException error = catchThrowableOfType(
                    QueueException.class, () -> queues.queue("q").produce(NewItem.of("a")));
            assertThat(error.code()).isEqualTo(QueueErrorCode.SERVICE_UNAVAILABLE);
            assertThat(error).hasMessageContaining("failed before an answer came");
            assertThat(server.seen()).hasSize(1);
        }
    }

    @Test
    void a_renewal_by_holder_whose_answer_was_lost_is_not_sent_again() throws IOException {
        try (StubServer server = new StubServer(request -> null);
                HttpLocks locks = HttpLocks.builder(server.address()).build()) {
            CompletableFuture<?> renewal = locks.async()
                    .byHolder()
                    .renew(LockKey.of("ledger:7"), Holder.of("billing", "a"), Duration.ofSeconds(1));
            assertThat(renewal)
                    .failsWithin(Duration.ofSeconds(30))
                    .withThrowableOfType(ExecutionException.class)
                    .havingCause()
                    .isInstanceOf(LockException.class)
                    .withMessageContaining("failed before an answer came");
            assertThat(server.seen()).hasSize(1);
        }
    }

    @Test
    void a_release_that_finds_nothing_when_it_is_repeated_was_done_by_the_first_try() throws IOException {
        String nothing = StubServer.json(200, "{\"released\":false}");
        try (StubServer server = new StubServer(request -> request.number() == 0 ? null : nothing);
                HttpLocks locks = HttpLocks.builder(server.address()).build()) {
            assertThat(locks.byLockId().release(LockId.generate().value())).isTrue();
            assertThat(locks.byLockId().release(LockId.generate().value())).isFalse();
        }
    }

    @Test
    void a_grant_whose_answer_was_lost_is_given_back() throws IOException {
        LockId lockId = LockId.generate();
        try (StubServer server = new StubServer(request ->
                        request.path().endsWith("acquire") ? null : StubServer.json(200, "{\"released\":true}"));
                HttpLocks locks = HttpLocks.builder(server.address()).build()) {
            LockException error =
                    failure(() -> locks.tryAcquire(AcquireRequest.of("ledger:7").lockId(lockId)));
            assertThat(error.code()).isEqualTo(LockErrorCode.SERVICE_UNAVAILABLE);
            TestWaits.await()
                    .until(() -> server.seen().stream()
                            .anyMatch(request -> request.path().equals("/v1/lock.release")
                                    && request.body().contains(lockId.value())));
            assertThat(server.seen().stream().filter(request -> request.path().endsWith("acquire")))
                    .hasSize(3)
                    .allMatch(request -> request.body().contains(lockId.value()));
        }
    }

    @Test
    void a_path_in_the_address_is_put_before_the_paths_of_the_doors() throws IOException {
        try (StubServer server = new StubServer(request -> StubServer.json(200, "{\"locked\":false}"));
                HttpLocks locks = HttpLocks.builder(URI.create(server.address() + "/leasehold/"))
                        .build()) {
            assertThat(locks.isLocked("ledger:7")).isFalse();
            assertThat(server.seen().get(0).path()).isEqualTo("/leasehold/v1/lock.is_locked");
        }
    }

    @Test
    void with_two_servers_one_that_is_gone_is_passed_over() throws IOException {
        try (LeaseholdServer server = LeaseholdServer.start(
                        ServerOptions.DEFAULT.address("127.0.0.1", 0), MemoryLocks.create(), MemoryQueues.create());
                HttpLocks locks = HttpLocks.builder(nobody())
                        .server(HttpLockFixture.address(server))
                        .build()) {
            for (int i = 0; i < 4; i++) {
                assertThat(locks.tryAcquire("ledger:" + i)).isPresent();
            }
        }
    }

    @Test
    void an_address_with_a_user_or_without_a_host_is_refused_without_being_shown() {
        IllegalArgumentException error = catchThrowableOfType(
                IllegalArgumentException.class, () -> HttpLocks.builder(URI.create("http://me:s3cret@host:2319")));
        assertThat(error).hasMessageNotContaining("s3cret");
        assertThat(catchThrowableOfType(
                        IllegalArgumentException.class, () -> HttpLocks.builder(URI.create("postgres://host/db"))))
                .hasMessageStartingWith("A server is an address such as http://127.0.0.1:2319");
    }

    private static LockException failure(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        LockException error = catchThrowableOfType(LockException.class, call);
        assertThat(error).as("a LockException").isNotNull();
        return error;
    }

    /** An address at which nobody listens any more. */
    private static URI nobody() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return URI.create("http://127.0.0.1:" + socket.getLocalPort());
        }
    }

    static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
