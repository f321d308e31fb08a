package dev.leasehold.testkit.proxy;

import dev.leasehold.testkit.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.postgresql.ds.PGSimpleDataSource;

/** A TCP proxy on 127.0.0.1 before a PostgreSQL. It can be down, cut connections, and do what its {@link ProxyFaults} say. */
public final class Proxy implements AutoCloseable {
    private static final int BACKLOG = 200;
    private static final int DEFAULT_PORT = 5432;

    private final Socket reservation = reserve();
    private final int port = reservation.getLocalPort();
    private final ProxyFaults faults;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private volatile InetSocketAddress target;
    private volatile ServerSocket listening;
    private volatile Thread accepting;

    private Proxy(InetSocketAddress target, long seed) {
        this.target = target;
        this.faults = new ProxyFaults(seed);
        this.listening = listen(port);
        this.accepting = start(listening);
    }

    /** Starts one before the server at {@code port} on this machine. */
    public static Proxy before(int port, long seed) {
        return new Proxy(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), seed);
    }

    /** Starts one before the server of {@code direct}. */
    public static Proxy before(PGSimpleDataSource direct) {
        int given = direct.getPortNumbers()[0];
        return new Proxy(new InetSocketAddress(direct.getServerNames()[0], given == 0 ? DEFAULT_PORT : given), 0);
    }

    /** {@code direct} through this proxy. */
    public PGSimpleDataSource through(PGSimpleDataSource direct) {
        PGSimpleDataSource dataSource = TestPostgres.copyOf(direct);
        dataSource.setServerNames(new String[] {"127.0.0.1"});
        dataSource.setPortNumbers(new int[] {port});
        return dataSource;
    }

    /** The port where it listens. */
    public int port() {
        return port;
    }

    /** What it does to the connections through it. */
    public ProxyFaults faults() {
        return faults;
    }

    /** Leads new connections elsewhere, as an address that moves does. Those that are open stay where they are. */
    public void leadTo(int other) {
        target = new InetSocketAddress(InetAddress.getLoopbackAddress(), other);
    }

    /** Nobody answers at this address any more, and nobody is connected. The port stays ours: somebody else would answer there. */
    public void down() {
        stopListening();
        cut();
    }

    /** The port is closed only when the thread that accepts has left its socket: until then connections come through. */
    private void stopListening() {
        try {
            listening.close();
            accepting.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * A socket that has a port from the start to the end and does not listen: while nobody else listens there, whoever connects is
     * refused. Only sockets with the same option share its port, and none is given that port unless it asks for it.
     */
    private static Socket reserve() {
        try {
            Socket socket = new Socket();
            socket.setReuseAddress(false);
            socket.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answers again after {@link #down()}. */
    public void up() {
        listening = listen(port);
        accepting = start(listening);
    }

    /** Cuts all connections, and ends the faults: nothing that was held up is delivered, and new connections work. */
    public void cut() {
        cut(ProxyFaults::clear);
    }

    /** Cuts all connections, and changes the faults: nothing that was held up is delivered. */
    public void cut(Consumer<ProxyFaults> change) {
        List.copyOf(links).forEach(Link::silence);
        change.accept(faults);
        cutAll();
    }

    /** Cuts all connections; the faults stay. */
    public void cutAll() {
        List.copyOf(links).forEach(Link::cut);
    }

    /** How many connections lead through it. */
    public int connections() {
        return links.size();
    }

    private static ServerSocket listen(int at) {
        try {
            ServerSocket socket = new ServerSocket();
            socket.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), at), BACKLOG);
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Thread start(ServerSocket socket) {
        Thread thread = new Thread(() -> accept(socket), "proxy-accept");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void accept(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                connect(socket.accept(), socket);
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    /** A server that is not there is a connection that ends at once. */
    private void connect(Socket client, ServerSocket accepted) throws IOException {
        try {
            Socket server = new Socket(target.getAddress(), target.getPort());
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            Link link = new Link(client, server, faults, links::remove);
            links.add(link);
            link.start();
            if (accepted.isClosed()) {
                link.cut(); // nobody else would
            }
        } catch (IOException e) {
            client.close();
        }
    }

    @Override
    public void close() {
        stopListening();
        cut();
        try {
            reservation.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
