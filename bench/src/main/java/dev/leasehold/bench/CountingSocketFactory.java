package dev.leasehold.bench;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.LongAdder;
import javax.net.SocketFactory;

/**
 * Makes the sockets of pgjdbc, and counts in what they receive how often the database is ready for the next query: once for every
 * round trip, whoever the client is. It reads the heads of messages alone; TLS would hide them.
 *
 * <p>pgjdbc creates one by the name of this class, so the counts are those of the whole JVM.
 */
public final class CountingSocketFactory extends SocketFactory {
    private static final LongAdder ROUND_TRIPS = new LongAdder();
    private static final LongAdder TRANSACTIONS = new LongAdder();

    /** What was counted since this JVM began. */
    public static Traffic counted() {
        return new Traffic(ROUND_TRIPS.sum(), TRANSACTIONS.sum());
    }

    @Override
    public Socket createSocket() {
        return new CountingSocket();
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw unused();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw unused();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw unused();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) {
        throw unused();
    }

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("pgjdbc makes sockets without an address, and so can others here");
    }

    private static final class CountingSocket extends Socket {
        @Override
        public InputStream getInputStream() throws IOException {
            return new CountingStream(super.getInputStream());
        }
    }

    /** Follows the messages of PostgreSQL: one byte of type, four of length, then the rest. */
    static final class CountingStream extends FilterInputStream {
        private static final int HEAD = 5;

        private int inHead;
        private int type;
        private int length;
        private int left;

        CountingStream(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int value = super.read();
            if (value >= 0) {
                follow((byte) value);
            }
            return value;
        }

        @Override
        public int read(byte[] bytes, int offset, int size) throws IOException {
            int got = super.read(bytes, offset, size);
            int at = offset;
            while (at < offset + got) {
                if (left > 1 && inHead == 0) {
                    int skipped = Math.min(left - 1, offset + got - at);
                    left -= skipped;
                    at += skipped;
                } else {
                    follow(bytes[at++]);
                }
            }
            return got;
        }

        private void follow(byte value) {
            if (left > 0) {
                left--;
                if (left == 0 && type == 'Z') {
                    ready(value);
                }
                return;
            }
            if (inHead == 0) {
                type = value;
                length = 0;
            } else {
                length = (length << Byte.SIZE) | (value & 0xff);
            }
            if (++inHead == HEAD) {
                inHead = 0;
                left = length - (HEAD - 1);
            }
        }

        private static void ready(byte state) {
            ROUND_TRIPS.increment();
            if (state == 'I') {
                TRANSACTIONS.increment();
            }
        }
    }
}
