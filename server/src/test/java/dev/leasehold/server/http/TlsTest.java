package dev.leasehold.server.http;

import static dev.leasehold.testkit.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.server.ServerOptions.Limits;
import dev.leasehold.server.ServerOptions.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    static Path directory;

    private static Path certificate;
    private static Path key;
    private static SSLContext trusting;

    @BeforeAll
    static void certificate() throws Exception {
        Path store = directory.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=ip:127.0.0.1,dns:localhost",
                        "-validity",
                        "36500",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("keytool.log").toFile())
                .start();
        assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        Key privateKey = keys.getKey("server", PASSWORD);
        certificate = pem(
                "certificate.pem", "CERTIFICATE", keys.getCertificate("server").getEncoded());
        key = pem("key.pem", "PRIVATE KEY", privateKey.getEncoded());
        trusting = trusting(keys);
    }

    private static Path pem(String name, String what, byte[] bytes) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(
                directory.resolve(name), "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n");
    }

    private static SSLContext trusting(KeyStore keys) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", keys.getCertificate("server"));
        TrustManagerFactory managers = TrustManagerFactory.getInstance("PKIX");
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    private static LeaseholdServer start(Path certificate, Path key) {
        ServerOptions options = ServerOptions.DEFAULT.address("127.0.0.1", 0).tls(new Tls(certificate, key));
        return LeaseholdServer.start(options, MemoryLocks.create(), MemoryQueues.create());
    }

    @Test
    void a_client_that_trusts_the_certificate_is_served() throws Exception {
        try (LeaseholdServer server = start(certificate, key)) {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("https://127.0.0.1:" + server.port() + "/v1/lock.is_locked"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"key\": \"a\"}"))
                    .build();

            HttpResponse<String> answer = HttpClient.newBuilder()
                    .sslContext(trusting)
                    .build()
                    .send(request, HttpResponse.BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("{\"locked\":false}");
        }
    }

    @Test
    void new_protocols_are_spoken_and_old_ones_are_not() throws Exception {
        try (LeaseholdServer server = start(certificate, key)) {
            assertThat(handshake(server.port(), "TLSv1.3")).isEqualTo("TLSv1.3");
            assertThat(handshake(server.port(), "TLSv1.2")).isEqualTo("TLSv1.2");
            assertThatThrownBy(() -> handshake(server.port(), "TLSv1.1")).isInstanceOf(SSLException.class);
        }
    }

    private static String handshake(int port, String protocol) throws IOException {
        try (SSLSocket socket =
                (SSLSocket) trusting.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            socket.setEnabledProtocols(new String[] {protocol});
            socket.startHandshake();
            return socket.getSession().getProtocol();
        }
    }

    @Test
    void who_does_not_speak_tls_is_not_answered() {
        try (LeaseholdServer server = start(certificate, key);
                RawClient plain = new RawClient(server.port())) {
            plain.send(RawClient.post("/v1/lock.is_locked", "{\"key\": \"a\"}"));

            assertThat(plain.isHungUpOn()).isTrue();
        }
    }

    @Test
    void a_file_that_is_missing_or_wrong_stops_the_start_and_is_named() throws IOException {
        Path missing = directory.resolve("missing.pem");
        Path wrong = Files.writeString(directory.resolve("wrong.pem"), "hello", StandardCharsets.UTF_8);
        Path broken = Files.writeString(
                directory.resolve("broken.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        Path brokenKey = Files.writeString(
                directory.resolve("broken-key.pem"), "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");

        refuses(missing, key, missing);
        refuses(certificate, missing, missing);
        refuses(wrong, key, wrong);
        refuses(certificate, wrong, wrong);
        refuses(broken, key, broken);
        refuses(certificate, brokenKey, brokenKey);
        refuses(key, certificate, key);
    }

    private static void refuses(Path certificate, Path key, Path named) {
        assertThatThrownBy(() -> start(certificate, key))
                .hasMessageContaining(named.toString())
                .hasMessageContaining("cannot be used");
    }

    @Test
    void suites_without_forward_secrecy_are_refused() throws Exception {
        try (LeaseholdServer server = start(certificate, key)) {
            for (String suite : trusting.getSupportedSSLParameters().getCipherSuites()) {
                boolean isModern = suite.matches("TLS_(AES|CHACHA20)_.*|TLS_ECDHE_ECDSA_WITH_.*(_GCM_|CHACHA20).*");
                if (suite.contains("_WITH_") && !isModern && !suite.contains("SCSV")) {
                    assertThat(shakesHands(server.port(), suite)).as(suite).isFalse();
                }
            }
            assertThat(shakesHands(server.port(), "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"))
                    .isTrue();
            assertThat(shakesHands(server.port(), "TLS_AES_256_GCM_SHA384")).isTrue();
        }
    }

    private static boolean shakesHands(int port, String suite) throws IOException {
        try (SSLSocket socket =
                (SSLSocket) trusting.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(30_000);
            socket.setEnabledCipherSuites(new String[] {suite});
            socket.startHandshake();
            return true;
        } catch (SSLException e) {
            return false;
        }
    }

    @Test
    void connections_count_before_the_handshake() throws Exception {
        try (LeaseholdServer server = start(Limits.DEFAULT.connections(2))) {
            RawClient first = new RawClient(server.port());
            RawClient second = new RawClient(server.port());
            try (RawClient third = new RawClient(server.port())) {
                assertThat(third.isHungUpOn()).isTrue();
            }
            first.socket().setSoTimeout(100);
            assertThat(first.isHungUpOn()).as("closed before its deadline").isFalse();
            first.close();
            second.close();
            await().ignoreExceptions().until(() -> shakesHands(server.port(), "TLS_AES_256_GCM_SHA384"));
        }
    }

    @Test
    void a_handshake_that_does_not_come_is_not_waited_for() {
        try (LeaseholdServer server = start(Limits.DEFAULT.requestTime(Duration.ofSeconds(1)));
                RawClient silent = new RawClient(server.port())) {
            assertThat(silent.isHungUpOn()).isTrue();
        }
    }

    private static LeaseholdServer start(Limits limits) {
        ServerOptions options = ServerOptions.DEFAULT
                .address("127.0.0.1", 0)
                .tls(new Tls(certificate, key))
                .limits(limits);
        return LeaseholdServer.start(options, MemoryLocks.create(), MemoryQueues.create());
    }
}
