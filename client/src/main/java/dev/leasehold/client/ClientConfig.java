package dev.leasehold.client;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The servers and the settings of the connection. {@link #toString} omits the token. */
record ClientConfig(
        List<URI> servers,
        Duration timeout,
        Supplier<String> token,
        Supplier<Map<String, String>> headers,
        @Nullable SSLContext sslContext) {

    /** The server for this turn. */
    URI server(int turn) {
        return servers.get(Math.floorMod(turn, servers.size()));
    }

    @Override
    public String toString() {
        return "ClientConfig[servers=" + servers + ", timeout=" + timeout + "]";
    }
}
