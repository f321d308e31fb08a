package dev.leasehold.server;

import dev.leasehold.server.auth.Access;
import dev.leasehold.server.auth.OpenAccess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The address, authentication and limits of the server. Immutable; start from {@link #DEFAULT}.
 *
 * @param host the address to listen on
 * @param port the port; zero picks a free one
 * @param management a port of their own for metrics and health, on the same host; null leaves them with the rest
 * @param access authentication and permissions
 * @param tls the certificate to speak TLS with; null speaks plain HTTP
 * @param limits bounds for clients
 * @param labels what every line of the request log says of this process: env, region, version
 */
public record ServerOptions(
        String host,
        int port,
        @Nullable Integer management,
        Access access,
        @Nullable Tls tls,
        Limits limits,
        Map<String, String> labels) {
    public static final int DEFAULT_PORT = 2319;

    public static final ServerOptions DEFAULT =
            new ServerOptions("127.0.0.1", DEFAULT_PORT, null, OpenAccess.LOOPBACK, null, Limits.DEFAULT, Map.of());

    public ServerOptions {
        labels = Map.copyOf(labels);
    }

    /** The version of this server, as the request log and the pages tell it. */
    public String version() {
        String built = ServerOptions.class.getPackage().getImplementationVersion();
        return labels.getOrDefault("version", built == null ? "development" : built);
    }

    public ServerOptions address(String host, int port) {
        return new ServerOptions(host, port, management, access, tls, limits, labels);
    }

    public ServerOptions management(@Nullable Integer management) {
        return new ServerOptions(host, port, management, access, tls, limits, labels);
    }

    public ServerOptions access(Access access) {
        return new ServerOptions(host, port, management, access, tls, limits, labels);
    }

    public ServerOptions tls(@Nullable Tls tls) {
        return new ServerOptions(host, port, management, access, tls, limits, labels);
    }

    public ServerOptions limits(Limits limits) {
        return new ServerOptions(host, port, management, access, tls, limits, labels);
    }

    public ServerOptions labels(Map<String, String> labels) {
        return new ServerOptions(host, port, management, access, tls, limits, labels);
    }

    /** PEM files: the certificate chain, and its private key. */
    public record Tls(Path certificate, Path key) {}

    /**
     * Bounds for clients.
     *
     * @param connections open connections in all, from when they are accepted; those beyond are closed
     * @param headerBytes the headers of a request
     * @param produceBytes the body of a produce
     * @param bodyBytes all bodies of requests and answers in flight together
     * @param requestTime how long a request may take to arrive, from its first byte to its last
     * @param idleTime how long a connection may be silent between requests
     */
    public record Limits(
            int connections,
            int headerBytes,
            int produceBytes,
            long bodyBytes,
            Duration requestTime,
            Duration idleTime) {
        /** The part of the heap that bodies in flight may take, unless told otherwise: one of this many. */
        public static final int BODY_SHARE = 8;

        public static final Limits DEFAULT = new Limits(
                20_000,
                16_384,
                5_000_000,
                Runtime.getRuntime().maxMemory() / BODY_SHARE,
                Duration.ofSeconds(30),
                Duration.ofMinutes(5));

        public Limits connections(int connections) {
            return new Limits(connections, headerBytes, produceBytes, bodyBytes, requestTime, idleTime);
        }

        public Limits bodyBytes(long bodyBytes) {
            return new Limits(connections, headerBytes, produceBytes, bodyBytes, requestTime, idleTime);
        }

        public Limits requestTime(Duration requestTime) {
            return new Limits(connections, headerBytes, produceBytes, bodyBytes, requestTime, idleTime);
        }
    }
}
