package dev.leasehold.postgres.queue;

import java.util.Arrays;
import java.util.List;

/**
 * A line that a {@link QueueWorker} prints about one of its calls. Times are of the machine's monotonic clock, so those of several
 * JVMs can be compared.
 */
record KillLine(
        QueueWorker.Verb verb, State state, String call, long beganNanos, long printedNanos, List<String> texts) {
    enum State {
        BEGUN,
        DONE,
        REFUSED,
        FAILED
    }

    static KillLine begun(QueueWorker.Verb verb, String call, long beganNanos, List<String> texts) {
        return new KillLine(verb, State.BEGUN, call, beganNanos, System.nanoTime(), texts);
    }

    static KillLine done(QueueWorker.Verb verb, String call, long beganNanos, List<String> texts) {
        return new KillLine(verb, State.DONE, call, beganNanos, System.nanoTime(), texts);
    }

    static KillLine refused(QueueWorker.Verb verb, String call, long beganNanos, List<String> texts) {
        return new KillLine(verb, State.REFUSED, call, beganNanos, System.nanoTime(), texts);
    }

    static KillLine failed(QueueWorker.Verb verb, Exception why) {
        List<String> words = Arrays.asList(String.valueOf(why).split("\\s+"));
        return new KillLine(verb, State.FAILED, "any", 0, System.nanoTime(), words);
    }

    /** Reads what {@link #toString} has written. */
    static KillLine parse(String line) {
        String[] words = line.split(" ", 6);
        return new KillLine(
                QueueWorker.Verb.valueOf(words[0]),
                State.valueOf(words[1]),
                words[2],
                Long.parseLong(words[3]),
                Long.parseLong(words[4]),
                words[5].isBlank() ? List.of() : List.of(words[5].trim().split(" ")));
    }

    boolean isDone(String which) {
        return state == State.DONE && call.equals(which);
    }

    @Override
    public String toString() {
        return String.join(
                " ",
                verb.name(),
                state.name(),
                call,
                Long.toString(beganNanos),
                Long.toString(printedNanos),
                String.join(" ", texts) + " ");
    }
}
