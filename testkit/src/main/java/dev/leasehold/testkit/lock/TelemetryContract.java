package dev.leasehold.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockEvent.Reason;
import dev.leasehold.lock.LockEvent.Result;
import dev.leasehold.lock.LockEvent.Type;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.engine.RenewingLocks;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Every operation that came back is told once, with hashes and reasons, and without secrets. */
public class TelemetryContract extends LockContract {
    private final HeardEvents heard = new HeardEvents();

    @Test
    void a_grant_is_told() {
        HeldLock lock = tellingNode().acquire(key("told"));
        LockEvent event = only(Type.ACQUIRE);
        assertThat(event.result()).isEqualTo(Result.OK);
        assertThat(event.keyHash()).isEqualTo(lockKey("told").hash());
        assertThat(event.lockIdHash()).isEqualTo(lock.lockId().hash());
        assertThat(event.why()).isEmpty();
        assertThat(event.elapsed()).isPositive();
    }

    @Test
    void a_refusal_is_told_with_its_reason() {
        grant("held");
        tellingNode().tryAcquire(key("held"));
        LockEvent event = only(Type.ACQUIRE);
        assertThat(event.result()).isEqualTo(Result.FAIL);
        assertThat(event.reason()).isEqualTo(Reason.LOCKED);
        assertThat(event.lockIdHash()).isNull();
    }

    @Test
    void what_is_done_through_a_handle_is_told() {
        HeldLock lock = tellingNode().acquire(key("handle"));
        lock.extend(TTL);
        lock.close();
        assertOk(Type.EXTEND, lock.lockId());
        assertOk(Type.RELEASE, lock.lockId());
    }

    @Test
    void what_is_done_by_lock_id_is_told() {
        Granted granted = grant("by-id");
        RenewingLocks node = tellingNode();
        node.byLockId().extend(granted.lockId().value(), TTL);
        node.byLockId().release(granted.lockId().value());
        assertOk(Type.EXTEND, granted.lockId());
        assertOk(Type.RELEASE, granted.lockId());
    }

    private void assertOk(Type type, LockId lockId) {
        LockEvent event = only(type);
        assertThat(event.result()).isEqualTo(Result.OK);
        assertThat(event.lockIdHash()).isEqualTo(lockId.hash());
        assertThat(event.why()).isEmpty();
    }

    @Test
    void why_nothing_was_released_or_extended_is_told() {
        Granted granted = grant("gone");
        RenewingLocks node = tellingNode();
        outlive(TTL);
        node.byLockId().extend(granted.lockId().value(), TTL);
        assertThat(only(Type.EXTEND).reason()).isEqualTo(Reason.EXPIRED);
        node.byLockId().release(LockId.generate().value());
        assertThat(only(Type.RELEASE).reason()).isEqualTo(Reason.NOT_FOUND);
    }

    @Test
    void questions_are_told() {
        Granted granted = grant("asked");
        RenewingLocks node = tellingNode();
        node.isLocked(key("asked"));
        assertThat(only(Type.IS_LOCKED).result()).isEqualTo(Result.OK);

        node.getByKey(key("asked"));
        node.byLockId().get(granted.lockId().value());
        node.getByKey(key("absent"));
        await(() -> heard.all(Type.LOOKUP).size() == 3);
        assertThat(heard.count(Type.LOOKUP, Result.OK)).isEqualTo(2);
    }

    @Test
    void a_call_that_failed_is_told_by_its_exception_alone() {
        CancelSignal given = new CancelSignal();
        given.cancel();
        RenewingLocks node = tellingNode();
        assertFails(LockErrorCode.ABORTED, () -> node.acquire(request("failed").signal(given)));
        assertFails(LockErrorCode.INVALID_ARGUMENT, () -> node.acquire(""));
        node.isLocked(key("afterwards"));
        await(() -> !heard.all(Type.IS_LOCKED).isEmpty());
        assertThat(heard.all(Type.ACQUIRE)).isEmpty();
    }

    @Test
    void a_lost_lock_is_told() {
        HeldLock lock = tellingNode().acquire(request("lost").withoutRenewal());
        outlive(TTL);
        lock.extend(TTL);
        LockEvent event = only(Type.LOST);
        assertThat(event.result()).isEqualTo(Result.FAIL);
        assertThat(event.keyHash()).isEqualTo(lockKey("lost").hash());
        assertThat(event.reason()).isEqualTo(Reason.EXPIRED);
    }

    @Test
    void key_and_lock_id_are_told_only_to_those_who_ask() {
        tellingNode().acquire(key("quiet"));
        LockEvent event = only(Type.ACQUIRE);
        assertThat(event.key()).isNull();
        assertThat(event.lockId()).isNull();
        assertThat(event.toString()).doesNotContain(key("quiet"));
    }

    @Test
    void who_asks_for_raw_values_gets_them() {
        List<LockEvent> raw = new CopyOnWriteArrayList<>();
        RenewingLocks node =
                node(LockOptions.DEFAULT.listener(rawListener(raw, event -> event.type() == Type.ACQUIRE)));
        HeldLock lock = node.acquire(key("raw"));
        lock.close();
        await(() -> raw.size() == 2);
        assertThat(raw.get(0).key()).isEqualTo(key("raw"));
        assertThat(raw.get(0).lockId()).isEqualTo(lock.lockId().value());
        assertThat(raw.get(0).toString()).doesNotContain(lock.lockId().value());
        assertThat(raw.get(1).lockId()).isNull();
    }

    @Test
    void who_fails_to_say_whether_it_may_see_raw_values_does_not() {
        List<LockEvent> raw = new CopyOnWriteArrayList<>();
        RenewingLocks node = node(LockOptions.DEFAULT.listener(rawListener(raw, event -> {
            throw new IllegalStateException("undecided");
        })));
        node.acquire(key("undecided"));
        await(() -> raw.size() == 1);
        assertThat(raw.get(0).key()).isNull();
    }

    @Test
    void a_listener_that_throws_does_no_harm() {
        RenewingLocks node = node(LockOptions.DEFAULT.listener(event -> {
            throw new IllegalStateException("listener");
        }));
        HeldLock lock = node.acquire(key("harmless"));
        assertThat(lock.extend(TTL)).isTrue();
        assertThat(lock.release()).isTrue();
        assertThat(node.isLocked(key("harmless"))).isFalse();
    }

    @Test
    void every_attempt_of_a_waiter_is_told() {
        Granted holder = grant("waited");
        var waiting = wokenNode(heard).async().tryAcquire(request("waited").waitFor(NEVER));
        awaitInLine(heard);
        release(holder);
        held(soon(waiting));
        await(() -> heard.count(Type.ACQUIRE, Result.OK) == 1);
    }

    private RenewingLocks tellingNode() {
        return node(LockOptions.DEFAULT.listener(heard));
    }

    private LockEvent only(Type type) {
        await(() -> !heard.all(type).isEmpty());
        assertThat(heard.all(type)).hasSize(1);
        return heard.all(type).get(0);
    }

    private static LockListener rawListener(List<LockEvent> events, Predicate<LockEvent> mayShow) {
        return new LockListener() {
            @Override
            public void onEvent(LockEvent event) {
                events.add(event);
            }

            @Override
            public boolean includeRaw(LockEvent event) {
                return mayShow.test(event);
            }
        };
    }
}
