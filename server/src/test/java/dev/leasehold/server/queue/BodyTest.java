package dev.leasehold.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.QueueFixture;
import dev.leasehold.wire.QueueProduceItem;
import dev.leasehold.wire.QueueProduceRequest;
import dev.leasehold.wire.QueueStatsRequest;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a body may be like. */
class BodyTest extends QueueEndpointsTests {
    @Override
    QueueFixture newNodes() {
        return new MemoryNodes();
    }

    @Test
    void an_empty_body_is_a_message_in_protobuf_and_no_json() {
        client.postProto("queue.stats", QueueStatsRequest.getDefaultInstance())
                .isRefusal(400, "queue name is invalid; queue name cannot be empty");
        assertThat(client.postText("queue.stats", "").status()).isEqualTo(455);
        assertThat(client.postProto("queues.list", QueueStatsRequest.getDefaultInstance())
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[]",
                "null",
                "\"queue_name\"",
                "{\"queue_name\":\"x\"} {}",
                "{\"queue_name\":\"x\"}garbage",
                "{queue_name:\"x\"}",
                "{'queue_name':'x'}",
                "{\"queue_name\":\"x\",}",
                "{\"queue_name\":\"x\",\"queue_name\":\"y\"}",
                "{\"queue_name\":\"x\",\"queueName\":\"y\"}",
                "{\"queue_name\":7}",
                "{\"queue_name\":\"x\",\"nobody_knows\":1}",
                "{\"QueueName\":\"x\"}",
                "{\"queue_name\":\"a\\ud800b\"}",
                "{\"queue_name\":\"\\udc00\\ud800\"}",
                "\ufeff{\"queue_name\":\"x\"}"
            })
    void what_is_not_the_message_in_json_is_refused(String body) {
        Answer answer = client.postText("queue.stats", body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(455);
        assertThat(answer.json().path("code").asInt()).isEqualTo(455);
        assertThat(answer.json().path("code_text").asText()).isEqualTo("Client Content Error");
        assertThat(answer.message()).startsWith("proto: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "queue.clear | {\"queue\":\"true\"}",
                "queue.clear | {\"queue\":1}",
                "queue.lease | {\"batch_size\":1.5}",
                "queue.lease | {\"batch_size\":true}",
                "queue.lease | {\"batch_size\":3000000000}",
                "queue.lease | {\"batch_size\":1e999999999}",
                "queue.complete | {\"ids\":\"x\"}",
                "queue.complete | {\"ids\":[null]}",
                "queue.retry | {\"items\":[[]]}",
                "queue.retry | {\"items\":[{\"retry_at\":5}]}",
                "queue.retry | {\"items\":[{\"retry_at\":\"tomorrow\"}]}",
                "queue.retry | {\"items\":[{\"nobody_knows\":5}]}",
                "queue.produce | {\"items\":[{\"bytes\":\"%%%\"}]}",
            })
    void values_must_be_of_their_type(String operation, String body) {
        Answer answer = client.postText(operation, body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(455);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"items\":[{\"utf8\":hunter2}]}",
                "{\"items\":[{\"utf8\":\"a\"}, hunter2]}",
                "{\"items\":[{\"bytes\":\"hunter2!\"}]}",
                "{\"items\":[{\"utf8\":\"hunter2"
            })
    void a_payload_is_not_repeated(String body) {
        Answer answer = client.postText("queue.produce", body);
        assertThat(answer.status()).isEqualTo(455);
        assertThat(answer.message()).startsWith("proto: ").doesNotContain("hunter2");
    }

    @Test
    void what_is_left_out_may_be_null_and_numbers_may_be_text() {
        String queue = newQueue();
        client.produce(queue, "a");
        client.postText(
                        "queue.lease",
                        "{\"queue_name\":\"" + queue
                                + "\",\"client_id\":\"c\",\"batch_size\":\"1\",\"request_timeout\":\"1s\"}")
                .ok();
        client.postText("queue.stats", "{\"queue_name\":null}")
                .isRefusal(400, "queue name is invalid; queue name cannot be empty");
    }

    @Test
    void bytes_that_are_no_message_are_refused() {
        Answer answer = client.send(client.to("/v1/queue.stats")
                .header("Content-Type", "application/protobuf")
                .POST(BodyPublishers.ofByteArray(new byte[] {10, 100, 1}))
                .build());
        assertThat(answer.status()).isEqualTo(455);
        assertThat(answer.message()).startsWith("proto: ");
    }

    @ParameterizedTest
    @CsvSource({"queue_name,request_timeout,client_id,batch_size", "queueName,requestTimeout,clientId,batchSize"})
    void both_spellings_are_understood(String queueName, String timeout, String clientId, String batchSize) {
        String queue = newQueue();
        client.produce(queue, "a");
        assertThat(client.post("queue.lease", queueName, queue, timeout, "1s", clientId, "c", batchSize, 1)
                        .ok()
                        .path("items"))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "queue.produce, 5000000, 5.0MB",
        "queue.lease, 512, 512B",
        "queue.stats, 512, 512B",
        "queue.clear, 512, 512B",
        "queue.reload, 512, 512B",
        "queue.complete, 256000, 250.0KiB",
        "queue.retry, 256000, 250.0KiB",
        "queues.create, 256000, 250.0KiB",
        "queues.list, 256000, 250.0KiB",
        "queues.delete, 256000, 250.0KiB",
        "queues.info, 256000, 250.0KiB",
        "queues.update, 512000, 500.0KiB",
        "storage/items.list, 256000, 250.0KiB",
        "storage/items.delete, 512000, 500.0KiB",
        "storage/scheduled.list, 256000, 250.0KiB",
        "storage/items.import, 64000000, 61.0MiB",
        "users.create, 256000, 250.0KiB",
    })
    void a_body_has_its_limit(String operation, int limit, String text) {
        String wish = "{\"queue_name\":\"nobody~s\"}";
        boolean isSmall = limit < 1_000_000;
        if (isSmall && !operation.startsWith("users") && !operation.equals("queues.list")) {
            assertThat(client.postText(operation, padded(wish, limit)).message())
                    .startsWith("queue name is invalid");
        }
        client.postText(operation, padded(wish, limit + 1)).isRefusal(400, "request body exceeds " + text + " limit");
    }

    private static String padded(String json, int size) {
        return json + " ".repeat(size - json.length());
    }

    /** Empty items weigh two bytes each in a body, and a hundred times that as objects. */
    @ParameterizedTest
    @CsvSource({"queue.produce, max_produce_batch_size is 1000", "storage/items.import, max_import_batch_size is 10000"
    })
    void a_body_of_very_many_items_is_refused_before_they_are_built(String operation, String limit) {
        String refusal = "items is invalid; " + limit + " but received 100000";
        QueueProduceRequest.Builder message = QueueProduceRequest.newBuilder().setQueueName("nobody-s");
        for (int i = 0; i < 100_000; i++) {
            message.addItems(
                    QueueProduceItem.getDefaultInstance()); // an import has the same numbers for name and items
        }
        client.postProto(operation, message.build()).isRefusal(400, refusal);
        String items = "{}" + ",{}".repeat(99_999);
        client.postText(operation, "{\"queue_name\":\"nobody-s\",\"items\":[" + items + "]}")
                .isRefusal(400, refusal);
    }
}
