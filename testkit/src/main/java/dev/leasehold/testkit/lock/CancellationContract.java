package dev.leasehold.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.engine.RenewingLocks;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.syncguard.RetryPolicy;
import dev.leasehold.syncguard.SyncGuardLocks;
import dev.leasehold.testkit.StallingNode;
import dev.leasehold.testkit.TestWaits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who says stop is heard at once; what was granted at the same moment is given back; held locks are left alone. */
public class CancellationContract extends LockContract {
    private static final int CROSSINGS = 100;

    @Test
    void a_signal_given_before_stops_acquire() {
        assertThat(assertFails(
                        LockErrorCode.ABORTED,
                        () -> blocking().acquire(attempt("stop").signal(given()))))
                .hasMessage("Operation aborted by signal");
        assertFails(LockErrorCode.ABORTED, () -> locks().acquire(request("stop").signal(given())));
        assertFails(
                LockErrorCode.ABORTED, () -> locks().tryAcquire(request("stop").signal(given())));
        assertThat(isLocked("stop")).isFalse();
    }

    @Test
    void a_signal_given_before_stops_every_call_and_the_lock_stays() {
        Granted granted = grant("kept");
        Stream.<ThrowingCallable>of(
                        () -> blocking().release(granted.lockId(), given()),
                        () -> blocking().extend(granted.lockId(), TTL, given()),
                        () -> blocking().isLocked(lockKey("kept"), given()),
                        () -> blocking().lookup(lockKey("kept"), given()),
                        () -> blocking().lookup(granted.lockId(), given()))
                .forEach(call -> assertFails(LockErrorCode.ABORTED, call));

        assertThat(isLocked("kept")).isTrue();
        assertThat(release(granted)).isTrue();
    }

    @Test
    void a_signal_given_before_stops_every_verb_by_lock_id_or_key() {
        Granted granted = grant("kept");
        String lockId = granted.lockId().value();
        Stream.<ThrowingCallable>of(
                        () -> locks().byLockId().release(lockId, given()),
                        () -> locks().byLockId().extend(lockId, TTL, given()),
                        () -> SyncGuardLocks.of(locks()).isLocked(key("kept"), given()),
                        () -> SyncGuardLocks.of(locks()).getByKey(key("kept"), given()),
                        () -> locks().byLockId().get(lockId, given()),
                        () -> SyncGuardLocks.of(locks()).getByKeyRaw(key("kept"), given()),
                        () -> SyncGuardLocks.of(locks()).getByIdRaw(lockId, given()),
                        () -> SyncGuardLocks.of(locks()).owns(lockId, given()))
                .forEach(call -> assertFails(LockErrorCode.ABORTED, call));
        assertThat(locks().byLockId().release(lockId, new CancelSignal())).isTrue();
    }

    @Test
    void a_signal_stops_the_extension_of_a_handle_and_only_the_waiting_for_its_release() {
        HeldLock lock = locks().acquire(request("handle"));
        assertFails(LockErrorCode.ABORTED, () -> lock.extend(TTL, given()));
        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.extend(TTL, new CancelSignal())).isTrue();
        try {
            assertThat(lock.release(given())).isTrue(); // it may have been answered before anybody waits
        } catch (LockException e) {
            assertThat(e.code()).isEqualTo(LockErrorCode.ABORTED);
        }
        TestWaits.await().until(() -> !isLocked("handle"));
    }

    @Test
    void a_signal_that_is_not_given_changes_nothing() {
        CancelSignal signal = new CancelSignal();
        Granted granted = grant(attempt("quiet").signal(signal));
        assertThat(blocking().isLocked(lockKey("quiet"), signal)).isTrue();
        assertThat(blocking().lookup(granted.lockId(), signal)).isPresent();
        assertThat(blocking().extend(granted.lockId(), TTL, signal).ok()).isTrue();
        assertThat(blocking().release(granted.lockId(), signal).ok()).isTrue();
    }

    @Test
    void one_signal_stops_all_calls_that_come_after_it() {
        CancelSignal signal = new CancelSignal();
        Granted granted = grant(attempt("shared").signal(signal));
        signal.cancel();
        signal.cancel();
        assertFails(LockErrorCode.ABORTED, () -> blocking().extend(granted.lockId(), TTL, signal));
        assertFails(LockErrorCode.ABORTED, () -> blocking().isLocked(lockKey("shared"), signal));
        assertThat(release(granted)).isTrue();
    }

    @Test
    void a_signal_given_in_flight_ends_in_a_grant_or_in_nothing() {
        for (int i = 0; i < CROSSINGS; i++) {
            String name = "flight" + i; // its own: the one before may still be on its way
            CancelSignal signal = new CancelSignal();
            CompletableFuture<AcquireResult> flight =
                    inBackground(() -> blocking().acquire(attempt(name).signal(signal)));
            signal.cancel();
            settle(name, () -> ((Granted) soon(flight)).lockId().value());
        }
        awaitAllFree("flight");
    }

    @Test
    @Tag("slow")
    void a_signal_ends_a_call_that_the_store_does_not_answer() {
        Stream.<SignalledCall>of(
                        (node, held, signal) -> node.acquire(request("other").signal(signal)),
                        (node, held, signal) ->
                                node.byLockId().release(held.lockId().value(), signal),
                        (node, held, signal) ->
                                node.byLockId().extend(held.lockId().value(), TTL, signal),
                        (node, held, signal) -> SyncGuardLocks.of(node).getByKey(key("stalled"), signal),
                        (node, held, signal) -> held.extend(TTL, signal))
                .forEach(this::assertEndsUnanswered);
    }

    /** A verb with a signal. */
    private interface SignalledCall {
        Object on(RenewingLocks node, HeldLock held, CancelSignal signal);
    }

    private void assertEndsUnanswered(SignalledCall call) {
        Optional<StallingNode> stalling = fixture().stallingNode();
        assumeTrue(stalling.isPresent(), "this store always answers at once");
        StallingNode node = stalling.orElseThrow();
        HeldLock held = node.locks().acquire(request("stalled").withoutRenewal());
        CancelSignal signal = new CancelSignal();
        node.stall();
        CompletableFuture<?> unanswered = inBackground(() -> call.on(node.locks(), held, signal));
        await(node::isAsked);
        signal.cancel();
        assertFails(LockErrorCode.ABORTED, () -> soon(unanswered));
        assertThat(locks().byLockId().release(held.lockId().value())).isTrue();
    }

    @Test
    void a_call_whose_future_is_cancelled_leaves_no_lock() {
        for (int i = 0; i < CROSSINGS; i++) {
            CompletableFuture<AcquireResult> call = store().acquire(attempt("dropped" + i));
            boolean cancelled = call.cancel(true);
            settle(
                    "dropped" + i,
                    () -> cancelled
                            ? stopped()
                            : ((Granted) soon(call)).lockId().value());
        }
        awaitAllFree("dropped");
    }

    @Test
    void a_signal_ends_waiting_at_once() {
        grant("occupied");
        HeardEvents heard = new HeardEvents();
        RenewingLocks node = wokenNode(heard);
        CancelSignal signal = new CancelSignal();
        CompletableFuture<HeldLock> waiting =
                inBackground(() -> node.acquire(patient("occupied").signal(signal)));
        awaitInLine(heard);

        signal.cancel();
        assertFails(LockErrorCode.ABORTED, () -> soon(waiting));
    }

    @Test
    void an_interrupt_ends_waiting_at_once_and_stays_set() {
        grant("occupied");
        HeardEvents heard = new HeardEvents();
        RenewingLocks node = wokenNode(heard);
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Boolean> stillSet = inBackground(() -> {
            thread.complete(Thread.currentThread());
            assertFails(LockErrorCode.ABORTED, () -> node.acquire(patient("occupied")));
            return Thread.interrupted();
        });
        awaitInLine(heard);

        soon(thread).interrupt();
        assertThat(soon(stillSet)).isTrue();
    }

    @Test
    void who_cancels_its_future_leaves_the_line_and_the_next_moves_up() {
        Granted holder = grant("line");
        HeardEvents heard = new HeardEvents();
        RenewingLocks node = wokenNode(heard);
        var first = node.async().tryAcquire(patient("line"));
        awaitInLine(heard);
        var second = node.async().tryAcquire(patient("line"));

        assertThat(first.cancel(true)).isTrue();
        release(holder);
        assertThat(held(soon(second)).isHeld()).isTrue();
    }

    @Test
    void closing_a_node_ends_its_waiting() {
        grant("occupied");
        HeardEvents heard = new HeardEvents();
        RenewingLocks node = wokenNode(heard);
        var waiting = node.async().tryAcquire(patient("occupied"));
        awaitInLine(heard);

        node.close();
        assertFails(LockErrorCode.ABORTED, () -> soon(waiting));
    }

    @Test
    void a_grant_that_crosses_with_the_cancel_of_its_future_is_given_back() {
        RenewingLocks node = wokenNode(new HeardEvents());
        for (int i = 0; i < CROSSINGS; i++) {
            Granted holder = grantOnceFree("crossing");
            var waiting = node.async().tryAcquire(patient("crossing"));
            CompletableFuture<Boolean> released = inBackground(() -> release(holder));
            boolean cancelled = waiting.cancel(true);
            assertThat(soon(released)).isTrue();
            settle("crossing", () -> cancelled ? stopped() : lockId(soon(waiting)));
        }
    }

    @Test
    @Tag("slow")
    void a_grant_that_crosses_with_a_signal_is_given_back() {
        RenewingLocks node = wokenNode(new HeardEvents());
        for (int i = 0; i < CROSSINGS; i++) {
            Granted holder = grantOnceFree("crossing");
            CancelSignal signal = new CancelSignal();
            var waiting = node.async().tryAcquire(patient("crossing").signal(signal));
            CompletableFuture<Boolean> released = inBackground(() -> release(holder));
            signal.cancel();
            assertThat(soon(released)).isTrue();
            settle("crossing", () -> lockId(soon(waiting)));
        }
    }

    @Test
    void a_grant_that_crosses_with_an_interrupt_is_given_back() {
        RenewingLocks node = wokenNode(new HeardEvents());
        for (int i = 0; i < CROSSINGS; i++) {
            Granted holder = grantOnceFree("crossing");
            CompletableFuture<Thread> thread = new CompletableFuture<>();
            CompletableFuture<String> waiting = inBackground(() -> {
                thread.complete(Thread.currentThread());
                try {
                    return lockId(node.tryAcquire(patient("crossing")));
                } finally {
                    Thread.interrupted();
                }
            });
            soon(thread);
            CompletableFuture<Boolean> released = inBackground(() -> release(holder));
            soon(thread).interrupt();
            assertThat(soon(released)).isTrue();
            settle("crossing", () -> soon(waiting));
        }
    }

    @Test
    @Tag("slow")
    void who_comes_as_another_leaves_is_served() {
        RenewingLocks node = wokenNode(new HeardEvents());
        for (int i = 0; i < 2 * CROSSINGS; i++) {
            Granted holder = grantOnceFree("changing");
            var leaving = node.async().tryAcquire(patient("changing"));
            CompletableFuture<Boolean> released = inBackground(() -> release(holder));
            CompletableFuture<Boolean> left = inBackground(() -> leaving.cancel(true));
            var coming = node.async().tryAcquire(patient("changing"));
            if (!soon(left)) {
                held(soon(leaving)).close();
            }
            held(soon(coming)).close();
            assertThat(soon(released)).isTrue();
            awaitFree("changing");
        }
    }

    @Test
    void a_signal_given_during_the_work_does_not_keep_the_lock_from_being_given_back() {
        CancelSignal signal = new CancelSignal();
        AcquireRequest request = request("working").signal(signal);
        assertThat(locks().<String, RuntimeException>withLock(request, lock -> cancelAndSay(signal)))
                .isEqualTo("done");
        assertThat(isLocked("working")).isFalse();
    }

    @Test
    void nor_does_it_under_a_retry_policy() {
        CancelSignal signal = new CancelSignal();
        AcquireRequest request = request("working").signal(signal);
        String result = SyncGuardLocks.of(locks())
                .<String, RuntimeException>withLock(request, RetryPolicy.DEFAULT, signal, lock -> cancelAndSay(signal));
        assertThat(result).isEqualTo("done");
        assertThat(isLocked("working")).isFalse();
    }

    /** Whatever came out of the race: a grant is released; after a stop the lock becomes free by itself. */
    private void settle(String name, Supplier<String> lockIdIfGranted) {
        try {
            assertThat(locks().byLockId().release(lockIdIfGranted.get())).isTrue();
        } catch (LockException e) {
            assertThat(e.code()).isEqualTo(LockErrorCode.ABORTED);
        }
        awaitFree(name);
    }

    private void awaitAllFree(String prefix) {
        for (int i = 0; i < CROSSINGS; i++) {
            awaitFree(prefix + i);
        }
    }

    /** A grant that crossed in the round before may have come, and be on its way back, after the lock was seen free. */
    private Granted grantOnceFree(String name) {
        List<Granted> granted = new ArrayList<>();
        await(() -> blocking().acquire(attempt(name)) instanceof Granted won && granted.add(won));
        return granted.get(0);
    }

    private static String stopped() {
        throw LockException.aborted();
    }

    private static String lockId(Optional<? extends HeldLock> result) {
        return held(result).lockId().value();
    }

    private static String cancelAndSay(CancelSignal signal) {
        signal.cancel();
        return "done";
    }

    private AcquireRequest patient(String name) {
        return request(name).waitFor(NEVER);
    }

    private static CancelSignal given() {
        CancelSignal signal = new CancelSignal();
        signal.cancel();
        return signal;
    }
}
