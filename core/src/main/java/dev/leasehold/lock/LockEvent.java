package dev.leasehold.lock;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One operation that ended, as a {@link LockListener} gets it.
 *
 * @param reason why it failed; null when it did not, or when nobody knows
 * @param key the raw key, only where the listener asked for raw values
 * @param lockId the raw lock id, only where the listener asked for raw values
 */
public record LockEvent(
        Type type,
        Result result,
        @Nullable String keyHash,
        @Nullable String lockIdHash,
        @Nullable Reason reason,
        @Nullable String key,
        @Nullable String lockId,
        Duration elapsed) {

    /** The operation. */
    public enum Type {
        ACQUIRE("acquire"),
        RELEASE("release"),
        EXTEND("extend"),
        IS_LOCKED("isLocked"),
        LOOKUP("lookup"),
        GUARD("guard"),
        LOST("lost");

        private final String text;

        Type(String text) {
            this.text = text;
        }

        /** The word for logs and metrics. */
        public String text() {
            return text;
        }
    }

    /** Whether it did what was asked. */
    public enum Result {
        OK("ok"),
        FAIL("fail");

        private final String text;

        Result(String text) {
            this.text = text;
        }

        /** The word for logs and metrics. */
        public String text() {
            return text;
        }
    }

    /** Why it did not. */
    public enum Reason {
        LOCKED("locked"),
        EXPIRED("expired"),
        NOT_FOUND("not-found");

        private final String text;

        Reason(String text) {
            this.text = text;
        }

        /** The word for logs and metrics. */
        public String text() {
            return text;
        }
    }

    /** The reason, if it failed and somebody knows why. */
    public Optional<Reason> why() {
        return Optional.ofNullable(reason);
    }

    /** The lock id shows only if it was asked for raw; it is never in this text. */
    @Override
    public String toString() {
        return "LockEvent[" + type.text() + " " + result.text() + (reason == null ? "" : " " + reason.text())
                + ", keyHash=" + keyHash + ", lockIdHash=" + lockIdHash + ", elapsed=" + elapsed + "]";
    }
}
