package dev.leasehold.server.http;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Notified of every request, when it begins and when its response is ready or its client has disconnected. Must be quick and must not throw. */
public interface RequestListener {
    /** A request's head has arrived. Each is answered once, later. */
    default void began(Route route) {}

    void answered(Answered answered);

    /** Notifies all of these, in order. */
    static RequestListener all(RequestListener... listeners) {
        List<RequestListener> all = List.of(listeners);
        return new RequestListener() {
            @Override
            public void began(Route route) {
                all.forEach(listener -> listener.began(route));
            }

            @Override
            public void answered(Answered answered) {
                all.forEach(listener -> listener.answered(answered));
            }
        };
    }

    /**
     * The outcome of a request.
     *
     * @param status the status that was sent; 499 if the caller hung up before
     * @param startMillis when its head had arrived, on the wall clock
     * @param nanos how long it took from then until the answer was ready
     * @param notes what the handler noted for the request log
     */
    record Answered(
            Route route,
            String method,
            String path,
            Function<String, @Nullable String> headers,
            String remote,
            int status,
            long startMillis,
            long nanos,
            Map<String, Object> notes) {}
}
