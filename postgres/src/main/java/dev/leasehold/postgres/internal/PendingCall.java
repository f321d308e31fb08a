package dev.leasehold.postgres.internal;

import dev.leasehold.LeaseholdException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One call on its way to the database. It completes once; a result that comes after the caller has gone is reported to its statement. */
public final class PendingCall<Q, R> {
    /** By then about 15 ms have passed: most commits that were in flight have ended. */
    private static final int CONTENDED = 4;

    private final BatchedStatement<Q, R> kind;
    private final Q request;
    private final CompletableFuture<R> result = new CompletableFuture<>();
    private final long bornNanos = System.nanoTime();
    private volatile boolean answered;
    private boolean accompanied;
    private int tries;
    private long waitNanos;
    private @Nullable Turn turn;

    /**
     * The advisory lock that a call may wait for, as its statement returned it.
     *
     * @param what identifies the lock
     * @param advisoryLock the key of the advisory lock
     */
    public record Turn(String what, long advisoryLock) {}

    public PendingCall(BatchedStatement<Q, R> kind, Q request) {
        this.kind = kind;
        this.request = request;
    }

    BatchedStatement<Q, R> kind() {
        return kind;
    }

    public Q request() {
        return request;
    }

    /** The result. To complete it from outside cancels the call. */
    public CompletableFuture<R> result() {
        return result;
    }

    boolean isOver() {
        return result.isDone();
    }

    /** Whether the database has answered, whatever became of the caller. */
    boolean isAnswered() {
        return answered;
    }

    public void succeed(R value) {
        answered = true;
        if (!result.complete(value)) {
            kind.onAbandoned(request, value);
        }
    }

    public void fail(LeaseholdException failure) {
        result.completeExceptionally(failure);
    }

    /** It is about to be sent together with calls of other statements. */
    void accompany() {
        accompanied = true;
    }

    boolean isAccompanied() {
        return accompanied;
    }

    long ageNanos(long now) {
        return now - bornNanos;
    }

    /** It is sent once more, at once. */
    void repeat() {
        tries++;
    }

    /** Whether it was sent before: it came back as busy, or an optimistic statement failed. */
    public boolean isRepeated() {
        return tries > 0;
    }

    /** Whether a call of the group was sent before. */
    public static boolean isRepeatedIn(List<? extends PendingCall<?, ?>> group) {
        return group.stream().anyMatch(PendingCall::isRepeated);
    }

    /** The keys of the calls that were sent before. */
    public static <Q, R> String[] repeatedIn(List<PendingCall<Q, R>> group, Function<Q, String> name) {
        return group.stream()
                .filter(PendingCall::isRepeated)
                .map(call -> name.apply(call.request))
                .toArray(String[]::new);
    }

    /** Whether it was sent so often that it should wait for the advisory lock. */
    boolean isContended() {
        return tries >= CONTENDED;
    }

    /** The lock that it may wait for; null if its statement does not know. */
    @Nullable String waitsFor() {
        return kind.waitsFor(this);
    }

    /** A statement has returned the lock to wait for. */
    public void turn(Turn known) {
        turn = known;
    }

    public @Nullable Turn turn() {
        return turn;
    }

    /** From now on it waits for the lock, for so long at most. */
    void waitFor(long nanos) {
        waitNanos = nanos;
    }

    /** From now on it only tries; returns whether it has waited. */
    boolean endWait() {
        boolean waited = waitNanos > 0;
        waitNanos = 0;
        return waited;
    }

    long waitNanos() {
        return waitNanos;
    }

    /** Whether the only call of the group waits for its lock. */
    public static boolean isWaiting(List<? extends PendingCall<?, ?>> group) {
        return group.get(0).waitNanos() > 0;
    }

    /** How long the only call of the group waits, for PostgreSQL's {@code lock_timeout}. */
    public static String waitMillis(List<? extends PendingCall<?, ?>> group) {
        return Long.toString(Math.max(1, group.get(0).waitNanos() / 1_000_000));
    }

    /** The backoff before the next try: none at first, then 5 ms, doubling up to 320 ms. */
    long nextTryNanos() {
        int before = tries++;
        return before == 0 ? 0 : 5_000_000L << Math.min(before - 1, 6);
    }
}
