package dev.leasehold.cli.server;

import dev.leasehold.cli.config.Authentication;
import dev.leasehold.cli.config.ConfigException;
import dev.leasehold.server.auth.Access;
import dev.leasehold.server.auth.OpenAccess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes of the settings whoever decides who is let in: the one place. Tokens win over a switched off authentication. */
final class AccessFactory {
    private static final Logger LOG = LoggerFactory.getLogger(AccessFactory.class);

    private AccessFactory() {}

    static Access create(Authentication authentication) {
        if (!authentication.keys().isEmpty() || authentication.jwt() != null) {
            throw new ConfigException("auth.keys and jwt.* are not served yet; use authentication.disabled=true");
        }
        if (authentication.isDisabled()) {
            LOG.warn("authentication is disabled: everybody who reaches the server may do everything");
            return OpenAccess.DISABLED;
        }
        return OpenAccess.LOOPBACK;
    }
}
