package dev.leasehold.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.Leasehold;
import dev.leasehold.memory.MemoryLeasehold;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.Queue;
import dev.leasehold.queue.QueueConfig;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class JsonTest {
    record Order(String drink, int cups) {}

    private static final Json<Order> ORDERS = Json.of(Order.class);

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void objects_become_json_and_back() {
        Order order = new Order("tea", 2);
        assertThat(new String(ORDERS.encode(order), StandardCharsets.UTF_8))
                .isEqualTo("{\"drink\":\"tea\",\"cups\":2}");
        assertThat(ORDERS.decode(ORDERS.encode(order))).isEqualTo(order);
        assertThat(ORDERS.encoding()).isEqualTo("application/json");
    }

    @Test
    void generic_types_keep_their_elements() {
        Json<List<Order>> lists = Json.of(new TypeReference<List<Order>>() {});
        List<Order> orders = List.of(new Order("tea", 2), new Order("coffee", 1));
        assertThat(lists.decode(lists.encode(orders))).isEqualTo(orders);
    }

    @Test
    void properties_of_newer_producers_are_ignored_unless_a_mapper_says_otherwise() {
        byte[] newer = bytes("{\"drink\":\"tea\",\"cups\":2,\"sugar\":true}");
        assertThat(ORDERS.decode(newer)).isEqualTo(new Order("tea", 2));
        assertThatThrownBy(() -> Json.of(Order.class, new ObjectMapper()).decode(newer))
                .isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void what_is_no_json_is_refused_without_being_repeated() {
        assertThatThrownBy(() -> ORDERS.decode(bytes("secret")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("the payload is not the JSON of a Order");
    }

    @Test
    void a_queue_carries_objects() {
        try (Leasehold leasehold = MemoryLeasehold.create()) {
            Queue<Order> orders = leasehold.queues().declare(QueueConfig.named("orders"), ORDERS);
            orders.produce(new Order("tea", 2));
            CompletableFuture<Order> received = new CompletableFuture<>();
            try (Consumer consumer = orders.consume(work -> received.complete(work.payload()))) {
                assertThat(received.join()).isEqualTo(new Order("tea", 2));
                assertThat(consumer.isClosed()).isFalse();
            }
        }
    }
}
