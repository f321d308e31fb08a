package dev.leasehold.server.auth;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Access by signed tokens (JWT) of an issuer. The subject of a token is the owner of what it locks.
 *
 * <p>A token is good if one of the issuer's public keys has signed it, its time has come and is not over, and issuer and audience
 * are as configured. One without {@code exp} or {@code sub} never is. Only asymmetric algorithms count: with a symmetric one, or
 * none, everybody could sign with what is public. Signatures are checked by threads of its own.
 */
public final class JwtAccess implements Access {
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512,
            JWSAlgorithm.EdDSA,
            JWSAlgorithm.Ed25519);
    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final int THREADS = 2;
    private static final int MOST_WAITING = 10_000;

    private final JwtOptions options;
    private final IssuerKeys keys;
    private final ExecutorService executor = executor();

    public JwtAccess(JwtOptions options) {
        this(options, PAUSE);
    }

    /** @param pause how much time lies between two fetches of the keys, at least */
    JwtAccess(JwtOptions options, Duration pause) {
        this.options = options;
        this.keys = new IssuerKeys(options, executor, pause);
    }

    private static ExecutorService executor() {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                THREADS, THREADS, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(MOST_WAITING), work -> {
                    Thread thread = new Thread(work, "leasehold-jwt");
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    @Override
    public CompletableFuture<Principal> authenticate(@Nullable String authorization) {
        try {
            SignedJWT token = parse(Bearer.of(authorization));
            return keys.matching(token.getHeader()).thenApplyAsync(found -> check(token, found), executor);
        } catch (UnauthorizedException e) {
            return CompletableFuture.failedFuture(e);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(new KeysUnavailableException());
        }
    }

    private static SignedJWT parse(String credential) {
        try {
            SignedJWT token = SignedJWT.parse(credential);
            if (!ALGORITHMS.contains(token.getHeader().getAlgorithm())) {
                throw undecodable("Unsupported algorithm");
            }
            return token;
        } catch (ParseException | IllegalArgumentException e) {
            throw undecodable("Malformed token");
        }
    }

    private Principal check(SignedJWT token, List<JWK> candidates) {
        if (candidates.stream().noneMatch(key -> Signatures.isGood(token, key))) {
            throw undecodable("Invalid signature");
        }
        try {
            JWTClaimsSet claims = token.getJWTClaimsSet();
            checkTime(claims);
            checkParties(claims);
            return new Principal(subject(claims), true, options.grants());
        } catch (ParseException e) {
            throw undecodable("Malformed payload");
        }
    }

    private void checkTime(JWTClaimsSet claims) {
        Instant now = Instant.now();
        Date expires = claims.getExpirationTime();
        if (expires == null) {
            throw new UnauthorizedException("The exp claim is missing");
        }
        if (now.minus(options.skew()).isAfter(expires.toInstant())) {
            throw new UnauthorizedException("Jwt expired at " + expires.toInstant());
        }
        Date from = claims.getNotBeforeTime();
        if (from != null && now.plus(options.skew()).isBefore(from.toInstant())) {
            throw new UnauthorizedException("Jwt used before " + from.toInstant());
        }
    }

    private void checkParties(JWTClaimsSet claims) {
        if (options.issuer() != null && !options.issuer().equals(claims.getIssuer())) {
            throw new UnauthorizedException("The iss claim is not valid");
        }
        if (options.audience() != null && !claims.getAudience().contains(options.audience())) {
            throw new UnauthorizedException("The required audience is missing or invalid");
        }
    }

    private static String subject(JWTClaimsSet claims) {
        String subject = claims.getSubject();
        if (subject == null || subject.isBlank()) {
            throw new UnauthorizedException("The sub claim is missing or blank");
        }
        return subject;
    }

    private static UnauthorizedException undecodable(String why) {
        return new UnauthorizedException("An error occurred while attempting to decode the Jwt: " + why);
    }
}
