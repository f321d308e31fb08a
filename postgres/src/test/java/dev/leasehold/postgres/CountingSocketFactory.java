package dev.leasehold.postgres;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.SocketFactory;

/** Counts round trips: every time the driver reads after it has written. Made by pgjdbc through its socketFactory setting. */
public final class CountingSocketFactory extends SocketFactory {
    public static final AtomicInteger ROUND_TRIPS = new AtomicInteger();
    public static final AtomicLong BYTES_SENT = new AtomicLong();

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

    private static final class CountingSocket extends Socket {
        private volatile boolean written;

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    written = true;
                    BYTES_SENT.addAndGet(length);
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
                        ROUND_TRIPS.incrementAndGet();
                    }
                    return super.read(bytes, offset, length);
                }
            };
        }
    }
}
