package dev.leasehold.memory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.RetryItem;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever happens in whatever order: every item is in one place, and an id never comes to stand for another. */
class MemoryQueueFuzzTest extends QueueStoreTests {
    private static final int STEPS = 600;

    private final Set<String> alive = new HashSet<>();
    private final Map<ItemId, String> textOfId = new HashMap<>();
    private SplittableRandom random = new SplittableRandom();
    private int produced;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void nothing_is_lost_doubled_or_mistaken(long seed) {
        random = new SplittableRandom(seed);
        for (int i = 0; i < STEPS; i++) {
            step();
            check();
        }
        advance(EXPIRE.multipliedBy(3));
        while (Duration.ZERO.equals(items.sweep(queue, dead).join().nextDue())) {
            check();
        }
        assertThat(list(queue)).isEmpty();
        assertThat(texts(list(dead))).containsExactlyInAnyOrderElementsOf(alive);
    }

    private void step() {
        switch (random.nextInt(8)) {
            case 0 -> produceSome();
            case 1, 2 -> leaseSome();
            case 3 -> completeSome();
            case 4 -> retrySome();
            case 5 -> items.giveBack(queue, someLeased()).join();
            case 6 ->
                items.extend(queue, someLeased(), Duration.ofSeconds(random.nextInt(1, 90)))
                        .join();
            default -> passTime();
        }
    }

    private void produceSome() {
        List<NewItem> some = Stream.generate(() ->
                        NewItem.of("item " + produced++).when(When.after(Duration.ofSeconds(random.nextInt(-60, 60)))))
                .limit(random.nextInt(1, 5))
                .toList();
        assertThat(items.produce(queue, some).join()).isSorted().hasSameSizeAs(some);
        some.forEach(item -> alive.add(new String(item.payload(), StandardCharsets.UTF_8)));
    }

    private void leaseSome() {
        int limit = random.nextInt(1, 5);
        List<ItemId> expected = list(queue).stream()
                .filter(item -> !item.isLeased()
                        && !requireNonNull(item.expireDeadline()).isBefore(now()))
                .limit(limit)
                .map(StoredItem::id)
                .toList();
        List<LeasedItem> leased = lease(limit);
        assertThat(leased).extracting(LeasedItem::id).isEqualTo(expected);
        assertThat(leased).allMatch(item -> item.attempts() <= MAX_ATTEMPTS);
    }

    private void completeSome() {
        List<ItemId> some = someLeased();
        items.complete(queue, some).join();
        some.forEach(id -> alive.remove(textOfId.get(id)));
        some.forEach(id -> assertUnknown(items.complete(queue, List.of(id)), id));
    }

    private void retrySome() {
        List<ItemId> some = someLeased();
        List<RetryItem> retries = some.stream()
                .map(id -> new RetryItem(
                        id, When.after(Duration.ofSeconds(random.nextInt(-60, 60))), random.nextInt(4) == 0))
                .toList();
        items.retry(queue, dead, retries).join();
        some.forEach(id -> assertUnknown(items.complete(queue, List.of(id)), id));
    }

    private void passTime() {
        advance(Duration.ofSeconds(random.nextInt(120)));
        List<ItemId> running = list(queue).stream()
                .filter(item ->
                        item.isLeased() && !requireNonNull(item.leaseDeadline()).isBefore(now()))
                .map(StoredItem::id)
                .toList();
        items.sweep(queue, dead).join();
        assertThat(ids(list(queue))).containsAll(running);
    }

    private List<ItemId> someLeased() {
        return list(queue).stream()
                .filter(item -> item.isLeased() && random.nextBoolean())
                .map(StoredItem::id)
                .toList();
    }

    private void check() {
        List<StoredItem> everywhere = new ArrayList<>(list(queue));
        everywhere.addAll(scheduled());
        assertThat(ids(list(queue))).isSorted();
        everywhere.forEach(item -> {
            String text = texts(List.of(item)).get(0);
            assertThat(textOfId.computeIfAbsent(item.id(), id -> text)).isEqualTo(text);
        });
        everywhere.addAll(list(dead));
        assertThat(texts(everywhere)).containsExactlyInAnyOrderElementsOf(alive);
    }
}
