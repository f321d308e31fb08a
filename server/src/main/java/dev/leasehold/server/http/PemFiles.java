package dev.leasehold.server.http;

import dev.leasehold.server.ServerOptions.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;

/** Looks at the files of a certificate before anything is served with them, to say which one is wrong. */
final class PemFiles {
    private PemFiles() {}

    static void check(Tls tls) {
        checkCertificate(tls.certificate());
        if (!read("private key", tls.key()).contains("PRIVATE KEY-----")) {
            throw wrong("private key", tls.key(), "it has no PEM block that begins with -----BEGIN PRIVATE KEY-----");
        }
    }

    private static void checkCertificate(Path file) {
        if (!read("certificate", file).contains("-----BEGIN CERTIFICATE-----")) {
            throw wrong("certificate", file, "it has no PEM block that begins with -----BEGIN CERTIFICATE-----");
        }
        try (InputStream in = Files.newInputStream(file)) {
            CertificateFactory.getInstance("X.509").generateCertificates(in);
        } catch (CertificateException | IOException e) {
            throw wrong("certificate", file, String.valueOf(e.getMessage()));
        }
    }

    private static String read(String what, Path file) {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw wrong(what, file, "there is no such file, or it may not be read");
        }
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw wrong(what, file, String.valueOf(e.getMessage()));
        }
    }

    private static IllegalArgumentException wrong(String what, Path file, String why) {
        return new IllegalArgumentException("The TLS " + what + " " + file + " cannot be used: " + why);
    }

    /** Says that a start may have failed because of the key; whatever else it may be stays in the message. */
    static IllegalArgumentException explained(Tls tls, IllegalStateException e) {
        return e.getCause() != null && e.getCause().getCause() instanceof BindException
                ? new IllegalArgumentException(e.getMessage(), e)
                : wrong("private key", tls.key(), String.valueOf(e.getMessage()));
    }
}
