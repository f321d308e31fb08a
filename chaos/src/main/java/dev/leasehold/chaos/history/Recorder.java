package dev.leasehold.chaos.history;

import java.util.concurrent.atomic.AtomicLong;

/** Records the calls of one process: {@code Call call = recorder.invoke(…)}, then make the call, then {@code call.ok(…)}. */
public final class Recorder {
    private final Journal journal;
    private final String node;
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong calls = new AtomicLong();

    /** A recorder for a process of this name, which no other process of the run has, nor had before. */
    public Recorder(Journal journal, String node) {
        this.journal = journal;
        this.node = node;
    }

    /** Says that {@code worker} is about to make this call. */
    public Call invoke(String worker, Operation operation, String subject, Facts facts) {
        Call call = new Call(calls.incrementAndGet(), worker, operation, subject);
        call.append(Kind.INVOKE, facts);
        return call;
    }

    /** A call that was invoked. One that is not told its end has none: what became of it is not known. */
    public final class Call {
        private final long number;
        private final String worker;
        private final Operation operation;
        private final String subject;

        private Call(long number, String worker, Operation operation, String subject) {
            this.number = number;
            this.worker = worker;
            this.operation = operation;
            this.subject = subject;
        }

        /** It was done. */
        public void ok(Facts facts) {
            append(Kind.OK, facts);
        }

        /** It was done, and nothing more is known than when it was invoked. */
        public void ok() {
            ok(Facts.NONE);
        }

        /** It was certainly not done. */
        public void fail(String why) {
            append(Kind.FAIL, Facts.note(why));
        }

        /** It may have been done. */
        public void unknown(String why) {
            append(Kind.UNKNOWN, Facts.note(why));
        }

        /** Its caller did not wait for the end: it may have been done. */
        public void cancelled() {
            append(Kind.UNKNOWN, Facts.cancelled());
        }

        private void append(Kind kind, Facts facts) {
            long nanos = System.nanoTime();
            journal.append(
                    new Event(events.getAndIncrement(), number, kind, nanos, node, worker, operation, subject, facts));
        }
    }
}
