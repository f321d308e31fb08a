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
class TransportTest extends QueueEndpointsTests {
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
        "namespaces, 'create,update,list,delete', namespace",
        "users, 'create,list,delete', user",
        "apikeys, 'create,list,delete', api key",
        "roles, 'create,list,update,delete', role",
        "rolebindings, 'create,list,delete', role binding",
    })
    void what_is_configured_is_not_stored(String noun, String verbs, String store) {
        for (String verb : verbs.split(",", -1)) {
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
