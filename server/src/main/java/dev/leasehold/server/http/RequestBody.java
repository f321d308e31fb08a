package dev.leasehold.server.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Arrays;

/**
 * The body of a request while it arrives: one array that grows with it, however small its pieces are. What the array takes is
 * charged to the budget.
 */
final class RequestBody {
    private static final byte[] NOTHING = new byte[0];
    private static final int LEAST = 512;

    private final BodyBudget.Share share;
    private final int limit;
    private final int most;
    private byte[] bytes = NOTHING;
    private int length;

    /** @param limit how many bytes there may be */
    RequestBody(HttpServerRequest request, BodyBudget.Share share, int limit) {
        long announced = RequestHead.announced(request);
        this.share = share;
        this.limit = limit;
        this.most = announced < 0 ? limit : (int) Math.min(announced, limit);
    }

    int limit() {
        return limit;
    }

    boolean fits(Buffer piece) {
        return length + (long) piece.length() <= limit;
    }

    /** Keeps a piece; false if the budget has no room for it. */
    boolean add(Buffer piece) {
        int end = length + piece.length();
        if (end > bytes.length && !grow(end)) {
            return false;
        }
        piece.getBytes(bytes, length);
        length = end;
        return true;
    }

    private boolean grow(int needed) {
        int doubled = (int) Math.min(Math.max(LEAST, 2L * bytes.length), Integer.MAX_VALUE);
        int size = Math.max(needed, Math.min(most, doubled));
        if (!share.add(size - bytes.length)) {
            return false;
        }
        bytes = Arrays.copyOf(bytes, size);
        return true;
    }

    /** The whole body. This keeps nothing of it any more; it stays charged. */
    byte[] take() {
        byte[] whole = length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
        drop();
        return whole;
    }

    void drop() {
        bytes = NOTHING;
        length = 0;
    }
}
