package dev.leasehold.server.observe;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The address of the client. */
final class ClientAddress {
    private static final Pattern LITERAL =
            Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    private static final int LONGEST = 45;

    private ClientAddress() {}

    /**
     * The peer; or the first {@code X-Forwarded-For}, if the peer is a proxy on this host or in this private network. Of other peers the
     * header is ignored.
     *
     * @param remote address and port of the peer
     */
    static String of(String remote, @Nullable String forwardedFor) {
        String peer = withoutPort(remote);
        if (forwardedFor == null || !isNeighbour(peer)) {
            return peer;
        }
        String first = forwardedFor.split(",", 2)[0].trim();
        return isLiteral(first) ? first : peer;
    }

    private static String withoutPort(String remote) {
        int colon = remote.lastIndexOf(':');
        String host = colon < 0 ? remote : remote.substring(0, colon);
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    private static boolean isNeighbour(String peer) {
        try {
            // A literal: nothing is looked up.
            InetAddress address = isLiteral(peer) ? InetAddress.getByName(peer) : null;
            return address != null && (address.isLoopbackAddress() || address.isSiteLocalAddress());
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static boolean isLiteral(String text) {
        return text.length() <= LONGEST && LITERAL.matcher(text).matches();
    }
}
