package dev.leasehold.server.http;

import dev.leasehold.server.ServerOptions;
import dev.leasehold.server.auth.ForbiddenException;
import dev.leasehold.server.auth.OpenAccess;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Refuses the requests that a web page of another site makes its reader's browser send to a server without authentication.
 *
 * <p>Nothing else would: a browser sends a form, or text without a content type, to any address without asking (CSRF), and a page
 * whose host name is made to point to this machine is of the same origin (DNS rebinding). Clients that are no browsers send none
 * of these headers, and a host that they connect to. With authentication on, a page of another site has no credential.
 */
final class CrossSiteGuard {
    private static final Set<String> OTHER_SITES = Set.of("cross-site", "same-site");
    private static final Pattern LOOPBACK =
            Pattern.compile("(([a-z0-9-]+\\.)*localhost|127(\\.[0-9]{1,3}){3}|\\[::1])(:[0-9]{1,5})?");
    private static final String HOW_TO = "; configure auth.keys, jwt.issuer or jwt.jwks to serve it";
    private static final String OTHER_SITE =
            "this server has no authentication, so it does not serve web pages of other sites" + HOW_TO;
    private static final String OTHER_HOST =
            "this server has no authentication, so the Host header must name a loopback address or localhost" + HOW_TO;

    private final boolean isOpen;
    private final boolean isLoopbackOnly;
    private final String scheme;
    private final String ownHost;

    CrossSiteGuard(ServerOptions options) {
        this.isOpen = options.access() instanceof OpenAccess;
        this.isLoopbackOnly = options.access().isLoopbackOnly();
        this.scheme = options.tls() == null ? "http://" : "https://";
        this.ownHost = options.host().toLowerCase(Locale.ROOT);
    }

    /** Why a request is refused; null if it is not. */
    @Nullable ForbiddenException refusal(HttpServerRequest request) {
        if (!isOpen) {
            return null;
        }
        String host = request.headers().get("Host");
        if (isLoopbackOnly && host != null && !isLoopback(host.toLowerCase(Locale.ROOT))) {
            return new ForbiddenException(OTHER_HOST);
        }
        return isOfOtherSite(request, host) ? new ForbiddenException(OTHER_SITE) : null;
    }

    private boolean isLoopback(String host) {
        return LOOPBACK.matcher(host).matches() || host.equals(ownHost) || host.startsWith(ownHost + ":");
    }

    private boolean isOfOtherSite(HttpServerRequest request, @Nullable String host) {
        List<String> origins = request.headers().getAll("Origin");
        return origins.stream().anyMatch(origin -> !origin.equalsIgnoreCase(scheme + host))
                || request.headers().getAll("Sec-Fetch-Site").stream().anyMatch(OTHER_SITES::contains);
    }
}
