package dev.leasehold.postgres;

import dev.leasehold.testkit.TestPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.postgresql.ds.PGSimpleDataSource;

/** A TCP proxy on loopback between a test and its PostgreSQL that can be down, cut connections, or swallow what passes. */
public final class FaultyProxy implements AutoCloseable {
    private final InetSocketAddress target;
    private final int port;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile ServerSocket server;
    private volatile boolean swallowing;
    private volatile boolean swallowingReplies;

    public FaultyProxy() {
        URI url = URI.create(TestPostgres.url().substring("jdbc:".length()));
        target = new InetSocketAddress(url.getHost(), url.getPort() == -1 ? 5432 : url.getPort());
        server = listen(0);
        port = server.getLocalPort();
    }

    /** {@code direct} through this proxy. */
    public PGSimpleDataSource through(PGSimpleDataSource direct) {
        PGSimpleDataSource dataSource = TestPostgres.copyOf(direct);
        dataSource.setServerNames(new String[] {"127.0.0.1"});
        dataSource.setPortNumbers(new int[] {port});
        return dataSource;
    }

    /** Nobody answers at this address any more. */
    public void down() {
        close();
    }

    public void up() {
        swallowing = false;
        swallowingReplies = false;
        server = listen(port);
    }

    /** Connections stay open, and nothing comes through. */
    public void swallow() {
        swallowing = true;
    }

    /** The server gets everything and its replies are lost. */
    public void swallowReplies() {
        swallowingReplies = true;
    }

    /** Cuts what is connected; new connections work. */
    public void cut() {
        swallowing = false;
        swallowingReplies = false;
        sockets.forEach(FaultyProxy::close);
        sockets.clear();
    }

    private ServerSocket listen(int at) {
        try {
            ServerSocket listening = new ServerSocket();
            listening.setReuseAddress(true);
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), at));
            start(() -> accept(listening));
            return listening;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept(ServerSocket listening) {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Socket database = new Socket(target.getAddress(), target.getPort());
                sockets.add(client);
                sockets.add(database);
                if (listening.isClosed()) { // it went down just now: nobody else will close these
                    close(client);
                    close(database);
                    return;
                }
                start(() -> copy(client, database, false));
                start(() -> copy(database, client, true));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void copy(Socket from, Socket to, boolean replies) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8192];
            int read;
            while ((read = in.read(buffer)) >= 0) {
                if (!swallowing && !(replies && swallowingReplies)) {
                    out.write(buffer, 0, read);
                    out.flush();
                }
            }
        } catch (IOException e) {
            sockets.remove(from);
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "faulty-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        close(server);
        cut();
    }
}
