package dev.leasehold.queue;

import dev.leasehold.queue.item.LeasedItem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A leased item with its payload decoded. */
record TypedWork<T>(Work<LeasedItem> raw, T payload) implements Work<T> {
    private static final Logger log = LoggerFactory.getLogger(TypedWork.class);

    static <T> Work<T> of(Work<LeasedItem> raw, Codec<T> codec) {
        return new TypedWork<>(raw, codec.decode(raw.item().payload()));
    }

    /** Those whose payload can be decoded. The others are retried as if a handler had thrown the exception. */
    static <T> List<Work<T>> readable(String queue, List<Work<LeasedItem>> batch, Codec<T> codec, RetryRules rules) {
        List<Work<T>> readable = new ArrayList<>(batch.size());
        for (Work<LeasedItem> raw : batch) {
            try {
                readable.add(of(raw, codec));
            } catch (RuntimeException e) {
                log.warn("event=payload_not_decoded queue={} attempts={}", queue, raw.attempts(), e);
                rules.delay(raw.attempts(), e)
                        .ifPresentOrElse(raw::retryAfter, () -> raw.bury("the payload cannot be decoded"));
            }
        }
        return readable;
    }

    @Override
    public LeasedItem item() {
        return raw.item();
    }

    @Override
    public Instant deadline() {
        return raw.deadline();
    }

    @Override
    public boolean isLost() {
        return raw.isLost();
    }

    @Override
    public void extend(Duration leaseTimeout) {
        raw.extend(leaseTimeout);
    }

    @Override
    public void retryAfter(Duration delay) {
        raw.retryAfter(delay);
    }

    @Override
    public void bury(String reason) {
        raw.bury(reason);
    }
}
