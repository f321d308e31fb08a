package dev.leasehold.server.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.SignedJWT;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;

/** Checks the signature of a token with a public key. Never with a secret one: what is public must not be able to sign. */
final class Signatures {
    /** The bytes before the 32 of an Ed25519 key in its X.509 form. */
    private static final byte[] ED25519_HEAD = HexFormat.of().parseHex("302a300506032b6570032100");

    private static final int ED25519_BYTES = 32;

    private Signatures() {}

    static boolean isGood(SignedJWT token, JWK key) {
        try {
            if (key instanceof RSAKey rsa) {
                return token.verify(new RSASSAVerifier(rsa.toRSAPublicKey()));
            }
            if (key instanceof ECKey ec) {
                JWSVerifier verifier = new ECDSAVerifier(ec.toECPublicKey());
                return verifier.supportedJWSAlgorithms()
                                .contains(token.getHeader().getAlgorithm())
                        && token.verify(verifier);
            }
            return key instanceof OctetKeyPair pair
                    && Curve.Ed25519.equals(pair.getCurve())
                    && isGood(token, pair.getDecodedX());
        } catch (JOSEException | GeneralSecurityException | IllegalArgumentException e) {
            return false; // a key or a signature that is none
        }
    }

    /** By the JDK, which has had Ed25519 since version 15. */
    private static boolean isGood(SignedJWT token, byte[] publicKey) throws GeneralSecurityException {
        if (publicKey.length != ED25519_BYTES || token.getHeader().getCriticalParams() != null) {
            return false;
        }
        byte[] encoded = new byte[ED25519_HEAD.length + ED25519_BYTES];
        System.arraycopy(ED25519_HEAD, 0, encoded, 0, ED25519_HEAD.length);
        System.arraycopy(publicKey, 0, encoded, ED25519_HEAD.length, ED25519_BYTES);
        PublicKey key = KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
        Signature signature = Signature.getInstance("Ed25519");
        signature.initVerify(key);
        signature.update(token.getSigningInput());
        return signature.verify(token.getSignature().decode());
    }
}
