package dev.leasehold.queue;

import dev.leasehold.queue.admin.QueueBounds;
import java.nio.charset.StandardCharsets;

/**
 * An item to produce. Immutable, apart from the bytes of its payload, which are not copied: leave them alone.
 *
 * @param payload what the item carries; any bytes, also none
 * @param encoding how the payload is to be read; free text for producers and consumers
 * @param kind what sort of work it is; free text
 * @param reference what it belongs to; free text
 * @param when when it becomes ready
 */
@SuppressWarnings("ArrayRecordComponent") // copying every payload to be safe would cost more than it saves
public record NewItem(byte[] payload, String encoding, String kind, String reference, When when) {
    public NewItem {
        QueueRules.text("encoding", encoding);
        QueueRules.text("kind", kind);
        QueueRules.text("reference", reference);
    }

    /** An item of these bytes, ready at once. */
    public static NewItem of(byte[] payload) {
        return new NewItem(payload, "", "", "", When.now());
    }

    /** An item of this text as UTF-8, ready at once. */
    public static NewItem of(String text) {
        QueueRules.payload(text);
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** About how many bytes it takes. */
    public long weight() {
        return QueueBounds.weight(payload, reference, encoding, kind);
    }

    /** How the payload is to be read, such as a media type; free text. */
    public NewItem encoding(String encoding) {
        return new NewItem(payload, encoding, kind, reference, when);
    }

    /** What sort of work it is; free text. */
    public NewItem kind(String kind) {
        return new NewItem(payload, encoding, kind, reference, when);
    }

    /** What it belongs to; free text. */
    public NewItem reference(String reference) {
        return new NewItem(payload, encoding, kind, reference, when);
    }

    /** When it becomes ready; at once by default. */
    public NewItem when(When when) {
        return new NewItem(payload, encoding, kind, reference, when);
    }
}
