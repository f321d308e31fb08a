package dev.leasehold.cli.config;

import dev.leasehold.cli.config.Authentication.Jwt;
import dev.leasehold.cli.config.Authentication.Key;
import dev.leasehold.server.auth.Grant;
import dev.leasehold.server.auth.JwtOptions;
import dev.leasehold.server.auth.Permission;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads who is let in. */
final class AuthenticationReader {
    private static final List<String> PERMISSIONS =
            Stream.of(Permission.values()).map(Permission::text).toList();

    private final Settings settings;

    AuthenticationReader(Settings settings) {
        this.settings = settings;
    }

    Authentication read() {
        refuseBackend();
        boolean disabled = settings.flag("authentication.disabled", false);
        List<Key> keys = keys();
        if (disabled && !keys.isEmpty()) {
            throw Settings.contradiction(
                    settings.find("authentication.disabled").orElseThrow(),
                    settings.first("auth.keys[0]"),
                    "the first lets everybody in; leave one of them out");
        }
        return new Authentication(disabled, keys, jwt());
    }

    private void refuseBackend() {
        ConfigValue driver = settings.find("auth-backend.driver").orElseThrow();
        switch (driver.text().strip().toLowerCase(Locale.ROOT)) {
            case "", "none" -> {}
            case "internal" ->
                throw new ConfigException(
                        driver.where() + ": the driver internal is not available here; list the keys in auth.keys");
            default ->
                throw new ConfigException(driver.where() + ": invalid auth-backend driver; '" + driver.text()
                        + "' is not one of (none, internal)");
        }
    }

    private @Nullable Jwt jwt() {
        String issuer = address("jwt.issuer");
        String jwks = address("jwt.jwks");
        String audience = settings.text("jwt.audience").orElse(null);
        if (issuer != null || jwks != null) {
            requireAudience(audience);
            return new Jwt(issuer, jwks, audience, jwtGrants());
        }
        if (audience != null) {
            throw new ConfigException(
                    settings.find("jwt.audience").orElseThrow().where() + " needs jwt.issuer or jwt.jwks beside it");
        }
        if (settings.isGiven("jwt.grants") || !settings.elements("jwt.grants").isEmpty()) {
            throw new ConfigException(settings.first("jwt.grants").where() + " needs jwt.issuer or jwt.jwks beside it");
        }
        return null;
    }

    /** Issuers sign tokens for many services with the same keys. */
    private void requireAudience(@Nullable String audience) {
        boolean isOptional = settings.find("jwt.jwks").isEmpty() || settings.flag("jwt.any-audience", false);
        if (audience == null && !isOptional) {
            throw new ConfigException(settings.find("jwt.jwks").orElseThrow().where()
                    + " needs jwt.audience beside it: without it a token for any other service is good here too;"
                    + " if that is wanted, set jwt.any-audience=true");
        }
    }

    /** Everything, if nothing is said; nothing, if the list is empty. */
    private List<Grant> jwtGrants() {
        ConfigValue whole = settings.find("jwt.grants").orElse(null);
        if (whole != null && !whole.text().equals(YamlFile.EMPTY_LIST)) {
            throw Settings.wrong(whole, "must be a list of a namespace, or *, with permissions");
        }
        List<Grant> listed = listed("jwt.grants");
        return whole == null && listed.isEmpty() ? JwtOptions.ALL : listed;
    }

    private @Nullable String address(String key) {
        ConfigValue value = settings.find(key).orElse(null);
        if (value == null) {
            return null;
        }
        if (!isHttp(value.text().strip())) {
            throw Settings.wrong(value, "must be an http or https address");
        }
        return value.text().strip();
    }

    private static boolean isHttp(String text) {
        try {
            URI uri = URI.create(text);
            return uri.getHost() != null && List.of("http", "https").contains(uri.getScheme());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private List<Key> keys() {
        Set<String> names = new HashSet<>();
        List<Key> keys = new ArrayList<>();
        for (String element : settings.elements("auth.keys")) {
            ConfigValue name = settings.required(element, "name");
            if (name.text().isBlank() || !names.add(name.text())) {
                throw Settings.wrong(name, "must be a name that no other key has");
            }
            keys.add(new Key(name.text(), sha256(settings.required(element, "sha256")), grants(element)));
        }
        return keys;
    }

    private static String sha256(ConfigValue value) {
        if (!value.text().strip().matches("[0-9a-fA-F]{64}")) {
            throw Settings.wrong(
                    value, "must be the SHA-256 of the key, 64 hex digits: printf %s \"$KEY\" | sha256sum");
        }
        return value.text().strip().toLowerCase(Locale.ROOT);
    }

    private List<Grant> grants(String key) {
        if (settings.elements(key + ".grants").isEmpty()) {
            throw new ConfigException(key + " (" + settings.first(key).source()
                    + ") needs 'grants': a list of a namespace, or *, with permissions");
        }
        return listed(key + ".grants");
    }

    private List<Grant> listed(String list) {
        return settings.elements(list).stream()
                .map(element ->
                        new Grant(settings.required(element, "namespace").text(), permissions(element)))
                .toList();
    }

    private static Permission permission(ConfigValue value) {
        return Stream.of(Permission.values())
                .filter(permission -> permission.text().equals(value.text().strip()))
                .findFirst()
                .orElseThrow(() -> Settings.wrong(value, "must be one of " + String.join(", ", PERMISSIONS)));
    }

    private Set<Permission> permissions(String grant) {
        Set<Permission> permissions = EnumSet.noneOf(Permission.class);
        for (String element : settings.elements(grant + ".permissions")) {
            ConfigValue value = settings.find(element).orElseThrow();
            permissions.add(permission(value));
        }
        if (permissions.isEmpty()) {
            throw new ConfigException(grant + " (" + settings.first(grant).source()
                    + ") needs 'permissions', a list out of " + String.join(", ", PERMISSIONS));
        }
        return permissions;
    }
}
