package dev.leasehold.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.leasehold.testkit.QueueFixture;
import dev.leasehold.wire.QueueLeaseRequest;
import dev.leasehold.wire.QueueLeaseResponse;
import dev.leasehold.wire.QueueStatsRequest;
import dev.leasehold.wire.QueueStatsResponse;
import dev.leasehold.wire.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How requests and answers travel, whatever they say. */
class TransportTest extends QueueDoorTests {
    @Override
    QueueFixture newNodes() {
        return new MemoryNodes();
    }

    private Answer stats(String queue, String contentType, String accept) {
        return client.send(client.to("/v1/queue.stats")
                .headers("Content-Type", contentType, "Accept", accept)
                .POST(BodyPublishers.ofString("{\"queue_name\":\"" + queue + "\"}"))
                .build());
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT", "DELETE", "PATCH", "OPTIONS"})
    void only_posts_are_answered(String method) {
        for (String path : List.of("queue.lease", "queues.list", "storage/items.list", "namespaces.list")) {
            client.send(client.to("/v1/" + path)
                            .method(method, BodyPublishers.noBody())
                            .build())
                    .isRefusal(400, "http method '" + method + "' not allowed; only POST");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "Application/JSON; charset=utf-8",
                "*/*",
                "application/*",
                "application/json, text/plain",
                ""
            })
    void json_is_spoken_unless_something_else_is_asked_for(String type) {
        String queue = newQueue();
        Answer answer = stats(queue, type, type);
        assertThat(answer.ok().path("queue_name").asText()).isEqualTo(queue);
    }

    @Test
    void other_forms_are_refused_before_anything_is_done() {
        String queue = newQueue();
        client.produce(queue, "a");
        stats(queue, "text/plain", "*/*")
                .isRefusal(455, "Content-Type header 'text/plain' is invalid format or unrecognized content type");
        String lease =
                "{\"queue_name\":\"" + queue + "\",\"client_id\":\"c\",\"batch_size\":1,\"request_timeout\":\"1s\"}";
        client.send(client.to("/v1/queue.lease")
                        .header("Accept", "text/html")
                        .POST(BodyPublishers.ofString(lease))
                        .build())
                .isRefusal(
                        455,
                        "Accept header 'text/html' is invalid format or unrecognized content type, only"
                                + " [application/json,application/protobuf] are supported by this method");
        assertThat(leasedIn(queue, 0)).isZero();
    }

    @Test
    void protobuf_goes_in_and_json_comes_out_unless_protobuf_is_asked_for() throws InvalidProtocolBufferException {
        String queue = newQueue();
        client.produce(queue, "a", "b");
        QueueLeaseRequest wish = QueueLeaseRequest.newBuilder()
                .setQueueName(queue)
                .setClientId("c")
                .setBatchSize(1)
                .setRequestTimeout("1s")
                .build();
        assertThat(texts(QueueClient.list(client.postProto("queue.lease", wish))))
                .containsExactly("a");

        Answer answer = client.postProto("queue.lease", wish, "Accept", "application/protobuf");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo("application/protobuf");
        QueueLeaseResponse leased = QueueLeaseResponse.parseFrom(answer.body());
        assertThat(leased.getQueueName()).isEqualTo(queue);
        assertThat(leased.getItems(0).getBytes().toStringUtf8()).isEqualTo("b");
    }

    @Test
    void errors_come_in_the_form_that_was_asked_for() throws InvalidProtocolBufferException {
        QueueStatsRequest wish =
                QueueStatsRequest.newBuilder().setQueueName("nobody-s").build();
        Answer answer = client.postProto("queue.stats", wish, "Accept", "application/protobuf");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.header("Content-Type")).isEqualTo("application/protobuf");
        Reply reply = Reply.parseFrom(answer.body());
        assertThat(reply.getCode()).isEqualTo(400);
        assertThat(reply.getCodeText()).isEqualTo("Bad Request");
        assertThat(reply.getMessage()).isEqualTo("queue does not exist; no such queue named 'nobody-s'");
        client.postProto("queue.stats", wish).isRefusal(400, "queue does not exist; no such queue named 'nobody-s'");
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
                "{\"QueueName\":\"x\"}"
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

    @Test
    void stats_are_spelled_as_the_go_client_wants_them() throws InvalidProtocolBufferException {
        String queue = newQueue();
        assertThat(client.post("queue.stats", "queue_name", queue).text())
                .isEqualTo("{\"queue_name\":\"" + queue + "\",\"logicalQueues\":[{\"partitions\":[{"
                        + "\"average_age\":\"0s\",\"average_leased_age\":\"0s\"}]}]}");
        QueueStatsRequest wish =
                QueueStatsRequest.newBuilder().setQueueName(queue).build();
        QueueStatsResponse stats =
                QueueStatsResponse.parseFrom(client.postProto("queue.stats", wish, "Accept", "application/protobuf")
                        .body());
        assertThat(stats.getLogicalQueuesCount()).isEqualTo(1);
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
        "storage/items.delete, 256000, 250.0KiB",
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

    @ParameterizedTest
    @CsvSource({
        "namespaces, 'create,update,list,delete', namespace",
        "users, 'create,list,delete', user",
        "apikeys, 'create,list,delete', api key",
        "roles, 'create,list,update,delete', role",
        "rolebindings, 'create,list,delete', role binding",
    })
    void what_is_configured_is_not_stored(String noun, String verbs, String store) {
        for (String verb : verbs.split(",")) {
            client.post(noun + "." + verb).isRefusal(453, store + " storage not configured");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"queues.rebalance", "storage/scheduled.add", "queue.lease/", "Queue.lease", "queue"})
    void what_nobody_knows_is_not_implemented(String path) {
        Answer answer = client.post(path);
        answer.isRefusal(501, "no such method; /v1/" + path);
        assertThat(answer.json().path("code_text").asText()).isEqualTo("Not Implemented");
    }
}
