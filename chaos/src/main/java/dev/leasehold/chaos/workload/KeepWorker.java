package dev.leasehold.chaos.workload;

import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockInfo;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * Keeps thousands of locks that renew themselves, and looks now and then whether the store has each of them still: what a handle says is
 * held is there, and none is lost that could have been renewed.
 *
 * <p>The keys are those of one process, so nobody else wants them. One look is one call in the history, and a lock that was lost is
 * another: thousands of calls at once would look like a rate.
 */
final class KeepWorker extends Worker {
    /** Over HTTP every renewal is a request of its own. */
    private static final int MOST_OVER_HTTP = 200;

    private static final int MOST = 2000;
    private static final int AT_ONCE = 250;
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final int PACE_MILLIS = 500;
    private static final int RELEASING = 32;

    private final Deque<String> wanted = new ArrayDeque<>();
    private final Map<String, HeldLock> kept = new LinkedHashMap<>();
    private final Map<String, Long> lastHeld = new HashMap<>();
    private final Set<HeldLock> told = ConcurrentHashMap.newKeySet();
    private final String collection;

    KeepWorker(Client client, int number) {
        super(client, "keep", number, PACE_MILLIS);
        this.collection = client.node() + "-kept";
        IntStream.range(0, client.isLibrary() ? MOST : MOST_OVER_HTTP).forEach(i -> wanted.add(collection + "-" + i));
    }

    @Override
    void turn() {
        if (wanted.isEmpty()) {
            look();
        } else {
            acquireSome();
        }
    }

    /** What is refused or fails is tried again: its grant may have to be given back first. */
    private void acquireSome() {
        Map<String, CompletableFuture<? extends Optional<HeldLock>>> asked = new LinkedHashMap<>();
        for (int i = 0; i < AT_ONCE && !wanted.isEmpty(); i++) {
            String key = wanted.remove();
            asked.put(
                    key,
                    client.locks().async().tryAcquire(AcquireRequest.of(key).ttl(TTL)));
        }
        asked.forEach((key, answer) ->
                answered(answer).flatMap(lock -> lock).ifPresentOrElse(lock -> keep(key, lock), () -> wanted.add(key)));
    }

    private void keep(String key, HeldLock lock) {
        kept.put(key, lock);
        lastHeld.put(key, System.nanoTime());
        lock.onLost(() -> told.add(lock));
    }

    /** Nothing if nobody knows. */
    private static <T> Optional<T> answered(CompletableFuture<T> answer) {
        try {
            return Optional.of(answer.join());
        } catch (CompletionException e) {
            if (e.getCause() instanceof LockException) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private void look() {
        Recorder.Call call = client.recorder().invoke(name, Operation.KEEP, collection, Facts.NONE);
        List<HeldLock> held = kept.values().stream().filter(HeldLock::isHeld).toList();
        held.forEach(lock -> lastHeld.put(lock.key().value(), System.nanoTime()));
        int found = ask(held);
        call.ok(Facts.note(found + " held"));
        List.copyOf(kept.values()).forEach(this::forgetIfLost);
    }

    /** How many the store has. A handle that says before and after the question that it is held has its grant there. */
    private int ask(List<HeldLock> held) {
        Map<HeldLock, CompletableFuture<Optional<LockInfo>>> asked = new LinkedHashMap<>();
        held.forEach(lock ->
                asked.put(lock, client.locks().async().getById(lock.lockId().value())));
        int found = 0;
        for (Map.Entry<HeldLock, CompletableFuture<Optional<LockInfo>>> one : asked.entrySet()) {
            Optional<Optional<LockInfo>> answer = answered(one.getValue());
            if (answer.isPresent() && answer.get().isEmpty() && one.getKey().isHeld()) {
                lost(one.getKey(), Facts.UNTOLD);
            }
            found += answer.isPresent() && answer.get().isPresent() ? 1 : 0;
        }
        return found;
    }

    /** One that is only in doubt, after a pause of this process, may be held again. */
    private void forgetIfLost(HeldLock lock) {
        String key = lock.key().value();
        long unheld = System.nanoTime() - lastHeld.getOrDefault(key, System.nanoTime());
        if (told.remove(lock)) {
            lost(lock, "told");
        } else if (unheld > TTL.multipliedBy(2).toNanos() && !lock.isHeld()) {
            lost(lock, Facts.UNTOLD);
        }
    }

    private void lost(HeldLock lock, String note) {
        String key = lock.key().value();
        client.recorder()
                .invoke(
                        name,
                        Operation.LOST,
                        key,
                        LockCalls.grant(lock).lasting(TTL).noting(note))
                .ok();
        kept.remove(key);
        lastHeld.remove(key);
        wanted.add(key);
    }

    @Override
    void end() {
        ExecutorService threads = Executors.newFixedThreadPool(RELEASING);
        List<CompletableFuture<Void>> released = new ArrayList<>();
        kept.values().forEach(lock -> released.add(CompletableFuture.runAsync(lock::close, threads)));
        released.forEach(CompletableFuture::join);
        threads.shutdown();
    }
}
