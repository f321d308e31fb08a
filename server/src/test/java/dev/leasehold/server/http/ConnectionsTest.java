package dev.leasehold.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.server.ServerOptions.Limits;
import io.vertx.core.http.HttpConnection;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The deadlines of connections. */
class ConnectionsTest {
    /** The thread of the deadlines may run at any moment while the event loop registers a new connection. */
    @Test
    void a_connection_that_is_just_being_opened_is_not_late() {
        try (Connections connections = new Connections(Limits.DEFAULT)) {
            List<String> calls = new ArrayList<>();
            connections.opened((HttpConnection) Proxy.newProxyInstance(
                    ConnectionsTest.class.getClassLoader(),
                    new Class<?>[] {HttpConnection.class},
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "hashCode" -> System.identityHashCode(proxy);
                        case "equals" -> proxy == arguments[0];
                        default -> {
                            calls.add(method.getName());
                            if (method.getName().equals("closeHandler")) {
                                connections.closeLate();
                            }
                            yield null;
                        }
                    }));
            assertThat(calls).contains("closeHandler").doesNotContain("close");
        }
    }
}
