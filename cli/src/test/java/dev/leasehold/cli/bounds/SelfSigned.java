package dev.leasehold.cli.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for loopback and its key, as PEM files, with a client that trusts it. */
record SelfSigned(Path certificate, Path key, Path store, SSLContext trusting) {
    private static final String PASSWORD = "changeit";

    static SelfSigned in(Path directory) throws IOException, GeneralSecurityException, InterruptedException {
        Path store = directory.resolve("store.p12");
        Process keytool = new ProcessBuilder(keytool(store))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(keytool.waitFor(1, TimeUnit.MINUTES)).isTrue();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        byte[] key = keys.getKey("server", PASSWORD.toCharArray()).getEncoded();
        byte[] certificate = keys.getCertificate("server").getEncoded();
        return new SelfSigned(
                pem(directory.resolve("certificate.pem"), "CERTIFICATE", certificate),
                pem(directory.resolve("key.pem"), "PRIVATE KEY", key),
                store,
                trusting(keys));
    }

    private static List<String> keytool(Path store) {
        String program =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        return List.of((program + " -genkeypair -alias server -keyalg EC -groupname secp256r1 -dname CN=localhost"
                        + " -ext SAN=ip:127.0.0.1 -validity 36500 -storetype PKCS12 -storepass " + PASSWORD
                        + " -keystore " + store)
                .split(" ", -1));
    }

    private static Path pem(Path file, String what, byte[] bytes) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(file, "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n");
    }

    private static SSLContext trusting(KeyStore keys) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", keys.getCertificate("server"));
        TrustManagerFactory managers = TrustManagerFactory.getInstance("PKIX");
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    /** The status of a page. */
    int get(int port, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path))
                .build();
        return HttpClient.newBuilder()
                .sslContext(trusting)
                .build()
                .send(request, BodyHandlers.discarding())
                .statusCode();
    }

    void delete() throws IOException {
        for (Path file : List.of(certificate, key, store, store.resolveSibling("."))) {
            Files.deleteIfExists(file.normalize());
        }
    }
}
