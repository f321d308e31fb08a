package dev.leasehold.postgres.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.LeaseholdException;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.spi.Timer;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An answer comes after the commit: if it makes no sense, the call may have been carried out all the same. */
class UnreadableAnswerTest {
    private final CompletableFuture<String> unknown = new CompletableFuture<>();

    @Test
    void a_call_whose_answer_cannot_be_read_has_an_unknown_outcome() {
        try (Timer timer = new Timer("test");
                GroupCommit groups = new GroupCommit(
                        TestPostgres.newSchema(), 1, 10, Duration.ofMinutes(1), timer, new InternalFailures())) {
            PendingCall<String, String> call = new PendingCall<>(new Unreadable(), "asked");
            groups.send(call, false);
            TestWaits.await().until(() -> call.result().isCompletedExceptionally());
            assertThat(TestWaits.get(unknown)).isEqualTo("asked");
        }
    }

    private static final class InternalFailures implements Failures {
        @Override
        public LeaseholdException failure(ErrorCategory trouble, String message, @Nullable Throwable cause) {
            return new LockException(LockErrorCode.INTERNAL, message, cause);
        }

        @Override
        public LeaseholdException closed() {
            return LockException.aborted();
        }
    }

    private final class Unreadable implements BatchedStatement<String, String> {
        @Override
        public Sql sql(List<PendingCall<String, String>> group) {
            return Sql.load("lock/transaction_began", Map.of());
        }

        @Override
        public int maxGroup() {
            return 10;
        }

        @Override
        public Map<String, @Nullable Object> values(List<PendingCall<String, String>> group) {
            return Map.of();
        }

        @Override
        public void answer(
                ResultSet rows, List<PendingCall<String, String>> group, List<PendingCall<String, String>> busy) {
            throw LockException.invalidArgument("not what was expected");
        }

        @Override
        public void onOutcomeUnknown(String request) {
            unknown.complete(request);
        }
    }
}
