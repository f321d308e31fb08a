package dev.leasehold.chaos.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A TCP proxy on 127.0.0.1 before a PostgreSQL. What passes is subject to its {@link Weather}. */
public final class Proxy implements AutoCloseable {
    private final ServerSocket listening;
    private final Weather weather;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private volatile int target;

    private Proxy(ServerSocket listening, int target, long seed) {
        this.listening = listening;
        this.target = target;
        this.weather = new Weather(seed);
    }

    /** Starts one before the server at {@code target} on this machine. */
    public static Proxy before(int target, long seed) {
        try {
            Proxy proxy = new Proxy(new ServerSocket(0, 200, InetAddress.getLoopbackAddress()), target, seed);
            Thread thread = new Thread(proxy::accept, "chaos-proxy-accept");
            thread.setDaemon(true);
            thread.start();
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return listening.getLocalPort();
    }

    public Weather weather() {
        return weather;
    }

    /** Leads new connections elsewhere, as an address that moves does. Those that are open stay where they are. */
    public void leadTo(int port) {
        target = port;
    }

    /** Cuts all connections. */
    public void cutAll() {
        List.copyOf(links).forEach(Link::cut);
    }

    /** How many connections lead through it. */
    public int connections() {
        return links.size();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                connect(listening.accept());
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    /** A server that is not there is a connection that ends at once. */
    private void connect(Socket client) throws IOException {
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            Link link = new Link(client, server, weather, links::remove);
            links.add(link);
            link.start();
            if (listening.isClosed()) {
                link.cut(); // nobody else would
            }
        } catch (IOException e) {
            client.close();
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        weather.clear();
        cutAll();
    }
}
