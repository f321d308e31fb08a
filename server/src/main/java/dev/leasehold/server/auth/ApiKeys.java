package dev.leasehold.server.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Access by keys that an operator has handed out. The server knows only their SHA-256.
 *
 * <p>The hash of the key that was presented is compared with every configured one, each in constant time: how long it takes tells
 * nothing about which key was nearly right.
 */
public final class ApiKeys implements Access {
    private static final Pattern SHA256 = Pattern.compile("[0-9a-fA-F]{64}");
    private static final Pattern SPOKEN = Pattern.compile("[\\x21-\\x7e]{1,1024}");

    private final List<Entry> entries;

    public ApiKeys(List<Key> keys) {
        Set<String> names = new HashSet<>();
        for (Key key : keys) {
            if (!names.add(key.name())) {
                throw new IllegalArgumentException(
                        "auth.keys names '" + key.name() + "' twice; give each key its own name");
            }
        }
        this.entries = keys.stream().map(Entry::of).toList();
    }

    @Override
    public CompletableFuture<Principal> authenticate(@Nullable String authorization) {
        try {
            return CompletableFuture.completedFuture(find(Bearer.of(authorization)));
        } catch (UnauthorizedException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Whether a key has this name. */
    boolean hasName(String name) {
        return entries.stream().anyMatch(entry -> entry.principal.subject().equals(name));
    }

    private Principal find(String presented) {
        if (!SPOKEN.matcher(presented).matches()) {
            throw new UnauthorizedException("api key is invalid");
        }
        byte[] digest = sha256(presented);
        Principal found = null;
        for (Entry entry : entries) {
            if (MessageDigest.isEqual(entry.digest, digest)) {
                found = entry.principal;
            }
        }
        if (found == null) {
            throw new UnauthorizedException("api key does not exist");
        }
        return found;
    }

    private static byte[] sha256(String key) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /**
     * A key as it is configured.
     *
     * @param name who uses it: the subject of what is done with it
     * @param sha256 the SHA-256 of the key, in 64 hexadecimal digits
     * @param grants what may be done with it
     */
    public record Key(String name, String sha256, List<Grant> grants) {
        public Key {
            if (name.isBlank()) {
                throw new IllegalArgumentException(
                        "a key in auth.keys has no name; the name is the owner of what it locks");
            }
            if (!SHA256.matcher(sha256).matches()) {
                throw new IllegalArgumentException("the key '" + name
                        + "' in auth.keys needs the SHA-256 of the key in 64 hexadecimal digits, not the key itself:"
                        + " printf %s \"$KEY\" | sha256sum");
            }
            grants = List.copyOf(grants);
        }

        @Override
        public String toString() {
            return "Key[name=" + name + ", grants=" + grants + "]";
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // never leaves this class
    private record Entry(byte[] digest, Principal principal) {
        static Entry of(Key key) {
            return new Entry(HexFormat.of().parseHex(key.sha256()), new Principal(key.name(), true, key.grants()));
        }

        @Override
        public String toString() {
            return "Entry[" + principal.subject() + "]";
        }
    }
}
