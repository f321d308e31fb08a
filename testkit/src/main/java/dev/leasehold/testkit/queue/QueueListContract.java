package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.admin.QueueListing;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queues are listed by namespace, in the byte order of their names, page by page. */
public class QueueListContract extends QueueContract {
    private static final int ALL = 50;

    private String namespace;
    private String prefix;
    private List<QueueInfo> created;

    @BeforeEach
    final void createQueues() {
        namespace = unique("space");
        prefix = unique("queue");
        created = IntStream.range(0, ALL)
                .mapToObj(i -> queues().create(QueueConfig.named(String.format("%s-%05d", prefix, i))
                        .namespace(namespace)
                        .leaseTimeout(Duration.ofSeconds(i + 1L))
                        .maxAttempts(i)
                        .discardDead()
                        .reference("number " + i)))
                .toList();
    }

    @Test
    void all_are_listed_with_everything_they_were_told() {
        assertThat(page("", 0)).isEqualTo(created);
    }

    @Test
    void a_limit_beyond_the_last_gives_all() {
        assertThat(page("", 20_000)).isEqualTo(created);
    }

    @Test
    void a_limit_gives_the_first_so_many() {
        assertThat(page("", 30)).isEqualTo(created.subList(0, 30));
        assertThat(page("", 1)).containsExactly(created.get(0));
    }

    @Test
    void a_page_begins_with_its_pivot() {
        assertThat(page(name(30), 1)).containsExactly(created.get(30));
        assertThat(page(name(10), 10)).isEqualTo(created.subList(10, 20));
        assertThat(page(name(19), 10)).isEqualTo(created.subList(19, 29));
    }

    @Test
    void a_pivot_that_is_not_there_means_the_next_after_it() {
        assertThat(page("!", 1)).containsExactly(created.get(0));
        assertThat(page(name(30) + "x", 2)).isEqualTo(created.subList(31, 33));
    }

    @Test
    void a_pivot_past_the_end_gives_an_empty_page() {
        assertThat(page("zzzzz-99999", 10)).isEmpty();
    }

    @Test
    void a_deleted_queue_is_left_out() {
        queues().delete(name(7));
        assertThat(page(name(7), 1)).containsExactly(created.get(8));
        assertThat(page("", 0)).hasSize(ALL - 1).doesNotContain(created.get(7));
    }

    @Test
    void only_queues_of_the_namespace_are_listed_and_counted() {
        String other = unique("space");
        List<QueueInfo> others = Stream.of("-00003x", "-00004x", "-00005x")
                .map(suffix ->
                        queues().create(QueueConfig.named(prefix + suffix).namespace(other)))
                .toList();
        assertThat(page("", 0)).isEqualTo(created);
        assertThat(page(name(3), 4)).isEqualTo(created.subList(3, 7));
        assertThat(queues().list(new QueueListing(other, "", 2))).isEqualTo(others.subList(0, 2));
        assertThat(queues().list(new QueueListing(unique("space"), "", 0))).isEmpty();
    }

    @Test
    void names_are_sorted_by_their_bytes() {
        String bytes = unique("bytes");
        List<String> names = Stream.of("-A", "-Z", "-a", "-b", "-z", "-\u00e9", "-\uFF21", "-\uD83D\uDE80")
                .map(suffix -> prefix + suffix)
                .toList();
        Stream.of(3, 5, 0, 7, 2, 6, 1, 4)
                .forEach(i -> queues().create(QueueConfig.named(names.get(i)).namespace(bytes)));

        assertThat(queues().list(new QueueListing(bytes, "", 0)).stream().map(QueueInfo::name))
                .isEqualTo(names);
        assertThat(queues().list(new QueueListing(bytes, names.get(5), 2)).stream()
                        .map(QueueInfo::name))
                .isEqualTo(names.subList(5, 7));
    }

    @Test
    void every_node_lists_the_same() {
        assertThat(anotherNode().list(new QueueListing(namespace, "", 0))).isEqualTo(created);
    }

    private List<QueueInfo> page(String pivot, int limit) {
        return queues().list(new QueueListing(namespace, pivot, limit));
    }

    private String name(int number) {
        return created.get(number).name();
    }
}
