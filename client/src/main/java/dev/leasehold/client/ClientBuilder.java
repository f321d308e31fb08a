package dev.leasehold.client;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the servers and the connection to them, for locks and queues.
 *
 * @param <B> the builder that it is part of
 */
public abstract class ClientBuilder<B extends ClientBuilder<B>> {
    private final List<URI> servers = new ArrayList<>();
    private Duration timeout = Duration.ofSeconds(10);
    private Supplier<String> token = () -> "";
    private Supplier<Map<String, String>> headers = Map::of;
    private @Nullable SSLContext sslContext;

    ClientBuilder(URI server) {
        servers.add(checked(server));
    }

    abstract B self();

    /** Adds another server on the same database. Calls take the servers in turn, and a retry goes to the next one. */
    public final B server(URI server) {
        servers.add(checked(server));
        return self();
    }

    /** Time until a reply, 10 s by default. The time that a call may wait for a lock or for items comes on top. */
    public final B timeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout must be positive, got " + timeout);
        }
        this.timeout = timeout;
        return self();
    }

    /** The API key or JWT of this client. */
    public final B token(String token) {
        return token(() -> token);
    }

    /** Called before every call, for tokens that expire. Must not block. */
    public final B token(Supplier<String> token) {
        this.token = token;
        return self();
    }

    /** Additional headers, such as the W3C trace context. Called before every call, in the calling thread. */
    public final B headers(Supplier<Map<String, String>> headers) {
        this.headers = headers;
        return self();
    }

    /** TLS settings for {@code https}; the JDK's by default. */
    public final B sslContext(SSLContext sslContext) {
        this.sslContext = sslContext;
        return self();
    }

    final ClientConfig config() {
        return new ClientConfig(List.copyOf(servers), timeout, token, headers, sslContext);
    }

    private static URI checked(URI server) {
        String scheme = server.getScheme();
        if (!("http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme)) || server.getHost() == null) {
            throw new IllegalArgumentException(
                    "A server is an address such as http://127.0.0.1:2319, got " + server.getScheme() + ":…");
        }
        if (server.getRawUserInfo() != null || server.getRawQuery() != null || server.getRawFragment() != null) {
            throw new IllegalArgumentException("The address of a server has no user, query or fragment; give a key or"
                    + " token with token(…). The server was " + server.getHost());
        }
        String text = server.toString();
        return URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
    }
}
