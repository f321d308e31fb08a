package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.leasehold.lock.Locks;
import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.queue.Queues;
import dev.leasehold.server.http.Route;
import dev.leasehold.server.observe.HealthCheck;
import dev.leasehold.server.observe.Metrics;
import dev.leasehold.wire.QueueInfo;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The document of what is served says what is served, and nothing else. */
class OpenApiTest {
    private static final Set<String> METHODS = Set.of("get", "head", "options", "post", "put", "delete", "patch");
    private static JsonNode document;

    @BeforeAll
    static void read() throws IOException {
        try (InputStream in = OpenApiTest.class.getResourceAsStream("openapi.yaml")) {
            document = new YAMLMapper().readTree(in);
        }
    }

    @Test
    void every_route_is_described_and_nothing_else_is() {
        assertThat(described()).isEqualTo(served());
    }

    private static Set<String> served() {
        Set<String> served = new TreeSet<>();
        try (Locks locks = MemoryLocks.create();
                Queues queues = MemoryQueues.create()) {
            HealthCheck health = new HealthCheck(locks, queues);
            Routes routes = new Routes(ServerOptions.DEFAULT, locks, queues, health, new Metrics(), Runnable::run);
            for (Route route : routes.all()) {
                served.add(route.method() + " " + route.path());
            }
        }
        return served;
    }

    private static Set<String> described() {
        Set<String> described = new TreeSet<>();
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue().fieldNames().forEachRemaining(method -> {
                    if (METHODS.contains(method)) {
                        described.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey());
                    }
                }));
        return described;
    }

    @Test
    void every_reference_leads_somewhere_and_everything_is_referred_to() {
        Set<String> references = new TreeSet<>();
        document.findValuesAsText("$ref").forEach(references::add);
        Set<String> components = new TreeSet<>();
        for (String kind : new String[] {"schemas", "responses", "parameters"}) {
            document.at("/components/" + kind)
                    .fieldNames()
                    .forEachRemaining(name -> components.add("#/components/" + kind + "/" + name));
        }
        assertThat(references).isEqualTo(components);
    }

    @Test
    void schemas_of_queue_messages_have_the_fields_of_the_messages() {
        for (Descriptor message : QueueInfo.getDescriptor().getFile().getMessageTypes()) {
            JsonNode schema = document.at("/components/schemas/" + message.getName());
            if (!schema.isMissingNode()) {
                Set<String> described = new TreeSet<>();
                schema.path("properties").fieldNames().forEachRemaining(described::add);
                assertThat(described).as(message.getName()).isEqualTo(fields(message));
            }
        }
    }

    private static Set<String> fields(Descriptor message) {
        Set<String> names = new TreeSet<>();
        for (FieldDescriptor field : message.getFields()) {
            names.add(field.getJsonName());
        }
        return names;
    }
}
