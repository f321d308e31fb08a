package dev.leasehold.queue;

import java.util.ArrayList;
import java.util.List;

/** Interceptors one inside of the other, the first outermost. */
record Interceptors(List<QueueInterceptor> all) {
    static final Interceptors NONE = new Interceptors(List.of());

    Interceptors and(QueueInterceptor inner) {
        List<QueueInterceptor> more = new ArrayList<>(all);
        more.add(inner);
        return new Interceptors(List.copyOf(more));
    }

    NewItem produced(String queue, NewItem item) {
        NewItem result = item;
        for (QueueInterceptor interceptor : all) {
            result = interceptor.onProduce(queue, result);
        }
        return result;
    }

    void around(String queue, List<? extends Work<?>> batch, QueueInterceptor.Invocation handler) throws Exception {
        around(0, queue, batch, handler);
    }

    private void around(int next, String queue, List<? extends Work<?>> batch, QueueInterceptor.Invocation handler)
            throws Exception {
        if (next == all.size()) {
            handler.proceed();
        } else {
            all.get(next).aroundHandle(queue, batch, () -> around(next + 1, queue, batch, handler));
        }
    }
}
