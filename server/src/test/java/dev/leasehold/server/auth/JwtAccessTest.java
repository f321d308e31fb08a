package dev.leasehold.server.auth;

import static dev.leasehold.testkit.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JwtAccessTest {
    private static final String UNDECODABLE = "An error occurred while attempting to decode the Jwt: ";
    private static RSAKey rsa;
    private static ECKey ec;

    private Issuer issuer;

    @BeforeAll
    static void keys() throws JOSEException {
        rsa = new RSAKeyGenerator(2048).keyID("rsa-1").generate();
        ec = new ECKeyGenerator(Curve.P_256).keyID("ec-1").generate();
    }

    @BeforeEach
    void open() {
        issuer = new Issuer(rsa, ec);
    }

    @AfterEach
    void close() {
        issuer.close();
    }

    private static JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder().subject("alice").expirationTime(in(300));
    }

    private static Date in(int seconds) {
        return Date.from(Instant.now().plusSeconds(seconds));
    }

    private static String rs256(JWTClaimsSet claims) {
        try {
            return Issuer.token(JWSAlgorithm.RS256, rsa, new RSASSASigner(rsa), claims);
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    private JwtAccess access() {
        return new JwtAccess(JwtOptions.jwks(issuer.jwks()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"})
    void a_token_that_an_rsa_key_has_signed_is_good(String algorithm) throws JOSEException {
        String token = Issuer.token(JWSAlgorithm.parse(algorithm), rsa, new RSASSASigner(rsa), claims().build());

        assertThat(access().authenticate(token).join()).isEqualTo(new Principal("alice", true, JwtOptions.ALL));
    }

    @Test
    void a_token_that_an_elliptic_key_has_signed_is_good() throws JOSEException {
        String token = Issuer.token(JWSAlgorithm.ES256, ec, new ECDSASigner(ec), claims().build());

        assertThat(access().authenticate(token).join().subject()).isEqualTo("alice");
    }

    @Test
    void a_token_that_an_edwards_key_has_signed_is_good() throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        byte[] encoded = pair.getPublic().getEncoded();
        Base64URL x = Base64URL.encode(java.util.Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length));
        issuer.keys.add(new OctetKeyPair.Builder(Curve.Ed25519, x).keyID("ed-1").build());
        String input = Base64URL.encode("{\"alg\":\"EdDSA\",\"kid\":\"ed-1\"}") + "."
                + Base64URL.encode(claims().build().toString());
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(pair.getPrivate());
        signature.update(input.getBytes(StandardCharsets.US_ASCII));
        String signed = input + "." + Base64URL.encode(signature.sign());

        assertThat(access().authenticate("Bearer " + signed).join().subject()).isEqualTo("alice");
        refuses(
                () -> access().authenticate("Bearer " + input + "x." + signed.substring(signed.lastIndexOf('.') + 1))
                        .join(),
                UNDECODABLE + "Invalid signature");
    }

    @Test
    void a_token_without_an_algorithm_is_refused() {
        String none = Base64URL.encode("{\"alg\":\"none\"}") + "."
                + Base64URL.encode(claims().build().toString()) + ".";

        assertThatThrownBy(() -> access().authenticate("Bearer " + none).join())
                .hasCauseInstanceOf(UnauthorizedException.class);
        assertThat(issuer.fetches).hasValue(0);
    }

    @Test
    void a_token_that_is_signed_with_the_public_key_as_a_secret_is_refused() throws JOSEException {
        byte[] known = rsa.toPublicJWK().toString().getBytes(StandardCharsets.UTF_8);
        String token = Issuer.token(JWSAlgorithm.HS256, rsa, new MACSigner(known), claims().build());

        refuses(() -> access().authenticate(token).join(), UNDECODABLE + "Unsupported algorithm");
    }

    @Test
    void a_token_that_another_key_of_the_same_name_has_signed_is_refused() throws JOSEException {
        RSAKey other = new RSAKeyGenerator(2048).keyID("rsa-1").generate();
        String token = Issuer.token(JWSAlgorithm.RS256, other, new RSASSASigner(other), claims().build());

        refuses(() -> access().authenticate(token).join(), UNDECODABLE + "Invalid signature");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer x", "Bearer a.b.c", "Bearer ..", "Bearer e30.e30.e30"})
    void a_malformed_token_is_refused(String header) {
        refuses(() -> access().authenticate(header).join(), UNDECODABLE + "Malformed token");
    }

    @Test
    void a_token_whose_time_is_over_or_has_not_come_is_refused() {
        JwtAccess access = access();

        assertThatThrownBy(() -> access.authenticate(
                                rs256(claims().expirationTime(in(-90)).build()))
                        .join())
                .hasMessageContaining("Jwt expired at ");
        assertThatThrownBy(() -> access.authenticate(
                                rs256(claims().notBeforeTime(in(90)).build()))
                        .join())
                .hasMessageContaining("Jwt used before ");
    }

    @Test
    void clocks_may_be_a_little_apart() {
        JWTClaimsSet claims =
                claims().expirationTime(in(-20)).notBeforeTime(in(20)).build();

        assertThat(access().authenticate(rs256(claims)).join().subject()).isEqualTo("alice");
    }

    @Test
    void a_token_without_an_end_is_refused() {
        JWTClaimsSet claims = new JWTClaimsSet.Builder().subject("alice").build();

        refuses(() -> access().authenticate(rs256(claims)).join(), "The exp claim is missing");
    }

    @Test
    void a_token_whose_subject_is_the_name_of_a_key_is_refused() {
        ApiKeys keys = new ApiKeys(List.of(new ApiKeys.Key("alice", "ab".repeat(32), JwtOptions.ALL)));
        Access both = AccessChain.of(keys, access(), false);

        refuses(() -> both.authenticate(rs256(claims().build())).join(), "The sub claim is the name of an api key");
        assertThat(both.authenticate(rs256(claims().subject("bob").build()))
                        .join()
                        .subject())
                .isEqualTo("bob");
    }

    @Test
    void a_token_without_a_subject_is_refused() {
        refuses(
                () -> access().authenticate(rs256(claims().subject(null).build()))
                        .join(),
                "The sub claim is missing or blank");
        refuses(
                () -> access().authenticate(rs256(claims().subject("  ").build()))
                        .join(),
                "The sub claim is missing or blank");
    }

    @Test
    void issuer_and_audience_must_be_as_configured() {
        JwtAccess access = new JwtAccess(JwtOptions.issuer(issuer.url()).audience("leasehold"));
        JWTClaimsSet.Builder good = claims().issuer(issuer.url()).audience(List.of("other", "leasehold"));

        assertThat(access.authenticate(rs256(good.build())).join().subject()).isEqualTo("alice");
        refuses(
                () -> access.authenticate(rs256(good.issuer("http://else").build()))
                        .join(),
                "The iss claim is not valid");
        refuses(
                () -> access.authenticate(rs256(
                                good.issuer(issuer.url()).audience("other").build()))
                        .join(),
                "The required audience is missing or invalid");
        refuses(
                () -> access.authenticate(rs256(claims().issuer(issuer.url()).build()))
                        .join(),
                "The required audience is missing or invalid");
    }

    @Test
    void grants_for_everybody_with_a_token_can_be_configured() {
        List<Grant> readers = List.of(new Grant(Grant.ALL, Set.of(Permission.LOCKS_READ)));
        JwtAccess access = new JwtAccess(JwtOptions.jwks(issuer.jwks()).grants(readers));

        Principal alice = access.authenticate(rs256(claims().build())).join();

        assertThat(alice.may(Permission.LOCKS_READ, "billing")).isTrue();
        assertThat(alice.may(Permission.LOCKS_WRITE, "billing")).isFalse();
    }

    @Test
    void keys_are_fetched_once_for_all_who_need_them() {
        JwtAccess access = access();
        String token = rs256(claims().build());

        CompletableFuture.allOf(Stream.generate(() -> access.authenticate(token))
                        .limit(50)
                        .toArray(CompletableFuture[]::new))
                .join();

        assertThat(issuer.fetches).hasValue(1);
    }

    @Test
    void a_new_key_is_fetched_when_a_token_names_it() throws JOSEException {
        JwtAccess access = new JwtAccess(JwtOptions.jwks(issuer.jwks()), Duration.ZERO);
        access.authenticate(rs256(claims().build())).join();
        RSAKey second = new RSAKeyGenerator(2048).keyID("rsa-2").generate();
        issuer.keys.add(second);

        String token = Issuer.token(JWSAlgorithm.RS256, second, new RSASSASigner(second), claims().build());

        assertThat(access.authenticate(token).join().subject()).isEqualTo("alice");
    }

    @Test
    void made_up_names_of_keys_do_not_make_the_server_fetch_again_and_again() throws JOSEException {
        JwtAccess access = access();
        access.authenticate(rs256(claims().build())).join();

        for (int i = 0; i < 20; i++) {
            RSAKey unknown = new RSAKey.Builder(rsa).keyID("made-up-" + i).build();
            String token = Issuer.token(JWSAlgorithm.RS256, unknown, new RSASSASigner(rsa), claims().build());
            refuses(() -> access.authenticate(token).join(), UNDECODABLE + "Invalid signature");
        }

        assertThat(issuer.fetches).hasValue(1);
    }

    @Test
    void an_issuer_that_is_down_is_not_the_fault_of_the_token() {
        issuer.status = 500;
        JwtAccess access = new JwtAccess(JwtOptions.jwks(issuer.jwks()), Duration.ofMillis(1));
        String token = rs256(claims().build());

        assertThatThrownBy(() -> access.authenticate(token).join()).hasCauseInstanceOf(KeysUnavailableException.class);
        issuer.status = 200;
        await().ignoreExceptions()
                .until(() -> access.authenticate(token).join().subject().equals("alice"));
    }

    @Test
    void an_issuer_that_goes_down_later_harms_nobody_whose_key_is_known() {
        JwtAccess access = new JwtAccess(JwtOptions.jwks(issuer.jwks()), Duration.ZERO);
        access.authenticate(rs256(claims().build())).join();
        issuer.close();

        assertThat(access.authenticate(rs256(claims().subject("bob").build()))
                        .join()
                        .subject())
                .isEqualTo("bob");
    }

    @Test
    void a_discovery_document_of_another_issuer_is_not_believed() {
        JwtAccess access = new JwtAccess(JwtOptions.issuer(issuer.url() + "/"));

        assertThatThrownBy(() -> access.authenticate(rs256(claims().build())).join())
                .hasCauseInstanceOf(KeysUnavailableException.class);
    }

    @Test
    void options_without_issuer_and_keys_are_refused() {
        assertThatThrownBy(() -> new JwtOptions(null, null, null, JwtOptions.ALL, Duration.ZERO))
                .hasMessageContaining("jwt.issuer")
                .hasMessageContaining("jwt.jwks");
        assertThatThrownBy(() -> JwtOptions.issuer("accounts")).hasMessageContaining("https://");
    }

    @Test
    void keys_and_tokens_go_together_and_win_over_disabled() {
        ApiKeys keys = new ApiKeys(List.of(ApiKeysTest.key("robot", "robot-secret")));
        Access both = AccessChain.of(keys, access(), true);

        assertThat(both.isLoopbackOnly()).isFalse();
        assertThat(both.authenticate("Bearer robot-secret").join().subject()).isEqualTo("robot");
        assertThat(both.authenticate(rs256(claims().build())).join().subject()).isEqualTo("alice");
        refuses(() -> both.authenticate(null).join(), "authentication required");
        refuses(() -> both.authenticate("Basic a.b.c").join(), "invalid authorization header format");
        refuses(() -> AccessChain.of(null, access(), true).authenticate(null).join(), "authentication required");
        assertThat(AccessChain.of(null, null, true)).isEqualTo(OpenAccess.DISABLED);
        assertThat(AccessChain.of(null, null, false)).isEqualTo(OpenAccess.LOOPBACK);
    }

    private static void refuses(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .cause()
                .isInstanceOf(UnauthorizedException.class)
                .hasMessage(message);
    }
}
