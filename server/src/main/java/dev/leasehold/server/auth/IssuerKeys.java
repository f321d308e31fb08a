package dev.leasehold.server.auth;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.util.JSONObjectUtils;
import dev.leasehold.spi.Futures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The public keys of an issuer, fetched when they are needed and kept.
 *
 * <ol>
 *   <li>What was fetched is used; when it is some minutes old it is fetched again, and used meanwhile.
 *   <li>It is used for an hour at most, if it cannot be fetched again.
 *   <li>A token with a key that is not there may be signed with a new one: then they are fetched again, but not more often than
 *       every ten seconds. Whoever makes up names of keys does not make this server call its issuer.
 *   <li>One fetch at a time; everybody who needs it waits for the same, without a thread.
 * </ol>
 */
final class IssuerKeys {
    private static final Logger log = LoggerFactory.getLogger(IssuerKeys.class);
    private static final long FRESH = Duration.ofMinutes(5).toNanos();
    private static final long USABLE = Duration.ofHours(1).toNanos();
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final JwtOptions options;
    private final long pauseNanos;
    private final HttpClient http;
    private @Nullable JWKSet known;
    private @Nullable CompletableFuture<JWKSet> fetching;
    private long knownNanos;
    private long askedNanos;
    private boolean hasAsked;

    /** @param pause how much time lies between two fetches, at least */
    IssuerKeys(JwtOptions options, Executor executor, Duration pause) {
        this.options = options;
        this.pauseNanos = pause.toNanos();
        this.http = HttpClient.newBuilder()
                .executor(executor)
                .connectTimeout(TIMEOUT)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();
    }

    /** The keys that may have signed a token with this header; fails with {@link KeysUnavailableException}. */
    CompletableFuture<List<JWK>> matching(JWSHeader header) {
        JWKSelector selector = new JWKSelector(JWKMatcher.forJWSHeader(header));
        JWKSet set = usable();
        List<JWK> found = set == null ? List.of() : selector.select(set);
        if (!found.isEmpty()) {
            return CompletableFuture.completedFuture(found);
        }
        return fetch(set).thenApply(selector::select);
    }

    private synchronized @Nullable JWKSet usable() {
        long age = System.nanoTime() - knownNanos;
        if (known == null || age > USABLE) {
            return null;
        }
        if (age > FRESH && mayAsk()) {
            var unused = start(); // logs its failure; what is known serves meanwhile
        }
        return known;
    }

    /** @param otherwise what to answer if it is too early to ask again; null: that they cannot be had */
    private synchronized CompletableFuture<JWKSet> fetch(@Nullable JWKSet otherwise) {
        if (fetching != null) {
            return fetching.copy();
        }
        if (mayAsk()) {
            return start().copy();
        }
        return otherwise == null
                ? CompletableFuture.failedFuture(new KeysUnavailableException())
                : CompletableFuture.completedFuture(otherwise);
    }

    private boolean mayAsk() {
        return fetching == null && (!hasAsked || System.nanoTime() - askedNanos > pauseNanos);
    }

    private CompletableFuture<JWKSet> start() {
        hasAsked = true;
        askedNanos = System.nanoTime();
        CompletableFuture<JWKSet> mine = new CompletableFuture<>();
        fetching = mine;
        Futures.whenDone(where().thenCompose(this::get).thenApply(IssuerKeys::parse), (set, failure) -> {
            done(failure == null ? set : null);
            if (failure == null) {
                mine.complete(set);
            } else {
                log.warn("event=jwks_unavailable reason=\"{}\"", reason(failure));
                mine.completeExceptionally(new KeysUnavailableException());
            }
        });
        return mine;
    }

    private synchronized void done(@Nullable JWKSet set) {
        fetching = null;
        if (set != null) {
            known = set;
            knownNanos = System.nanoTime();
        }
    }

    private static String reason(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }

    private CompletableFuture<URI> where() {
        URI jwks = options.jwks();
        if (jwks != null) {
            return CompletableFuture.completedFuture(jwks);
        }
        String issuer = String.valueOf(options.issuer());
        String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        return get(URI.create(base + "/.well-known/openid-configuration"))
                .thenApply(document -> discovered(document, issuer));
    }

    private static URI discovered(String document, String issuer) {
        try {
            Map<String, Object> fields = JSONObjectUtils.parse(document);
            if (!issuer.equals(JSONObjectUtils.getString(fields, "issuer"))) {
                throw new IllegalStateException("the discovery document is of another issuer than " + issuer);
            }
            URI jwks = URI.create(String.valueOf(JSONObjectUtils.getString(fields, "jwks_uri")));
            if (!JwtOptions.isHttp(jwks)) {
                throw new IllegalStateException("the discovery document has no usable jwks_uri");
            }
            return jwks;
        } catch (ParseException e) {
            throw new IllegalStateException("the discovery document is not JSON", e);
        }
    }

    private CompletableFuture<String> get(URI url) {
        HttpRequest request = HttpRequest.newBuilder(url)
                .timeout(TIMEOUT)
                .header("Accept", "application/json")
                .build();
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofString()).thenApply(response -> {
            if (response.statusCode() != 200) {
                throw new UncheckedIOException(
                        new IOException(url.getHost() + " answered with status " + response.statusCode()));
            }
            return response.body();
        });
    }

    private static JWKSet parse(String body) {
        try {
            return JWKSet.parse(body);
        } catch (ParseException e) {
            throw new IllegalStateException("what the issuer sent is not a JWK set", e);
        }
    }
}
