package dev.leasehold.postgres.internal;

import dev.leasehold.LeaseholdException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One call on its way to the database. It is answered once; an answer that nobody wants any more is reported as such. */
public final class PendingCall<Q, R> {
    /** By then some 15 ms have gone by: a commit that was under way has mostly ended. */
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
     * What a call waits for that was told by its statement.
     *
     * @param what the same for all calls that wait for the same
     * @param advisoryLock the number of the advisory lock
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

    /** The answer. Whoever completes it otherwise has called the call off. */
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

    /** It is about to be sent together with others. */
    void accompany() {
        accompanied = true;
    }

    boolean isAccompanied() {
        return accompanied;
    }

    long ageNanos(long now) {
        return now - bornNanos;
    }

    /** It is asked once more, at once. */
    void repeat() {
        tries++;
    }

    /** Whether it was asked before, and came back as busy or was asked in haste. */
    public boolean isRepeated() {
        return tries > 0;
    }

    /** Whether somebody of a group was. */
    public static boolean isRepeatedIn(List<? extends PendingCall<?, ?>> group) {
        return group.stream().anyMatch(PendingCall::isRepeated);
    }

    /** What those of a group ask for who were. */
    public static <Q, R> String[] repeatedIn(List<PendingCall<Q, R>> group, Function<Q, String> name) {
        return group.stream()
                .filter(PendingCall::isRepeated)
                .map(call -> name.apply(call.request))
                .toArray(String[]::new);
    }

    /** Whether it was asked for so often that it had better wait for its turn. */
    boolean isContended() {
        return tries >= CONTENDED;
    }

    /** What it may wait for; null if its kind does not know that. */
    @Nullable String waitsFor() {
        return kind.waitsFor(this);
    }

    /** A statement has told what it would wait for. */
    public void turn(Turn known) {
        turn = known;
    }

    public @Nullable Turn turn() {
        return turn;
    }

    /** From now on it waits for its turn, for so long at most. */
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

    /** Whether the only one of a group is to wait for its turn. */
    public static boolean isWaiting(List<? extends PendingCall<?, ?>> group) {
        return group.get(0).waitNanos() > 0;
    }

    /** How long the only one of a group waits for its turn, for PostgreSQL's {@code lock_timeout}. */
    public static String waitMillis(List<? extends PendingCall<?, ?>> group) {
        return Long.toString(Math.max(1, group.get(0).waitNanos() / 1_000_000));
    }

    /** How long to leave somebody else's transaction alone before the next try: at first not at all, then 5 ms, doubling up to 320. */
    long nextTryNanos() {
        int before = tries++;
        return before == 0 ? 0 : 5_000_000L << Math.min(before - 1, 6);
    }
}
