package dev.leasehold.postgres;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.SocketFactory;
import org.postgresql.ds.PGSimpleDataSource;

/** Counts round trips: every time the driver reads after it has written. Made by pgjdbc through its socketFactory setting. */
public final class CountingSocketFactory extends SocketFactory {
    private static final Map<String, AtomicInteger> COUNTERS = new ConcurrentHashMap<>();

    private final AtomicInteger roundTrips;

    /** One that counts for the data source of this name. Called by pgjdbc. */
    public CountingSocketFactory(String name) {
        roundTrips = COUNTERS.computeIfAbsent(name, first -> new AtomicInteger());
    }

    /** Counts the round trips of all connections that {@code dataSource} opens from now on. */
    public static AtomicInteger count(PGSimpleDataSource dataSource) {
        String name = UUID.randomUUID().toString();
        dataSource.setSocketFactory(CountingSocketFactory.class.getName());
        dataSource.setSocketFactoryArg(name);
        return COUNTERS.computeIfAbsent(name, first -> new AtomicInteger());
    }

    @Override
    public Socket createSocket() {
        return new CountingSocket();
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new IllegalStateException("pgjdbc creates unconnected sockets");
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) {
        return createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        return createSocket(host.getHostName(), port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
        return createSocket(host, port);
    }

    private final class CountingSocket extends Socket {
        private volatile boolean written;

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    written = true;
                    out.write(bytes, offset, length);
                }
            };
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read(byte[] bytes, int offset, int length) throws IOException {
                    if (written) {
                        written = false;
                        roundTrips.incrementAndGet();
                    }
                    return super.read(bytes, offset, length);
                }
            };
        }
    }
}
