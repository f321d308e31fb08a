package dev.leasehold.postgres.internal;

import dev.leasehold.LeaseholdException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** One call on its way to the database. It is answered once; an answer that nobody wants any more is reported as such. */
public final class Call<Q, R> {
    private final Kind<Q, R> kind;
    private final Q request;
    private final CompletableFuture<R> result = new CompletableFuture<>();
    private final long bornNanos = System.nanoTime();
    private volatile boolean answered;
    private boolean accompanied;
    private int tries;

    public Call(Kind<Q, R> kind, Q request) {
        this.kind = kind;
        this.request = request;
    }

    Kind<Q, R> kind() {
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
            kind.unwanted(request, value);
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
    public static boolean isRepeatedIn(List<? extends Call<?, ?>> group) {
        return group.stream().anyMatch(Call::isRepeated);
    }

    /** What those of a group ask for who were. */
    public static <Q, R> String[] repeatedIn(List<Call<Q, R>> group, Function<Q, String> name) {
        return group.stream()
                .filter(Call::isRepeated)
                .map(call -> name.apply(call.request))
                .toArray(String[]::new);
    }

    /** How long to leave somebody else's transaction alone before the next try: at first not at all, then 5 ms, doubling up to 320. */
    long nextTryNanos() {
        int before = tries++;
        return before == 0 ? 0 : 5_000_000L << Math.min(before - 1, 6);
    }
}
