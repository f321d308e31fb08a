package dev.leasehold.server.auth;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** An issuer of tokens on a port of its own, with its keys and its discovery document. */
final class Issuer implements AutoCloseable {
    final AtomicInteger fetches = new AtomicInteger();
    final List<JWK> keys = new CopyOnWriteArrayList<>();
    volatile int status = 200;
    private final HttpServer server;

    Issuer(JWK... keys) {
        this.keys.addAll(List.of(keys));
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        serve("/keys", () -> new JWKSet(this.keys).toString(true));
        serve(
                "/.well-known/openid-configuration",
                () -> "{\"issuer\": \"" + url() + "\", \"jwks_uri\": \"" + jwks() + "\"}");
        server.start();
    }

    private void serve(String path, java.util.function.Supplier<String> body) {
        server.createContext(path, exchange -> {
            if (path.equals("/keys")) {
                fetches.incrementAndGet();
            }
            byte[] bytes = body.get().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    String url() {
        return "http://" + server.getAddress().getHostString() + ":"
                + server.getAddress().getPort();
    }

    URI jwks() {
        return URI.create(url() + "/keys");
    }

    static String token(JWSAlgorithm algorithm, JWK key, JWSSigner signer, JWTClaimsSet claims) {
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build(), claims);
        try {
            token.sign(signer);
        } catch (com.nimbusds.jose.JOSEException e) {
            throw new AssertionError(e);
        }
        return "Bearer " + token.serialize();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
