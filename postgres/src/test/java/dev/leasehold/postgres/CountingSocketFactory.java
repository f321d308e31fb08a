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

/** Counts what the connections of one data source do. Made by pgjdbc through its socketFactory setting. */
public final class CountingSocketFactory extends SocketFactory {
    private static final Map<String, Counts> COUNTS = new ConcurrentHashMap<>();

    private final Counts counts;

    /** @param name which data source this is for; pgjdbc passes its socketFactoryArg */
    public CountingSocketFactory(String name) {
        counts = COUNTS.computeIfAbsent(name, its -> new Counts());
    }

    /** Has the connections of a data source counted, apart from those of all others. */
    public static Counts count(PGSimpleDataSource dataSource) {
        String name = UUID.randomUUID().toString();
        dataSource.setSocketFactory(CountingSocketFactory.class.getName());
        dataSource.setSocketFactoryArg(name);
        dataSource.setSslMode("disable"); // an answer to the question whether to encrypt is no message
        dataSource.setGssEncMode("disable");
        return COUNTS.computeIfAbsent(name, its -> new Counts());
    }

    /** What was done until now. */
    public static final class Counts {
        private final AtomicInteger roundTrips = new AtomicInteger();
        private final AtomicInteger transactions = new AtomicInteger();

        /** Every time the driver read after it had written. */
        public int roundTrips() {
            return roundTrips.get();
        }

        /** Every time a transaction ended in which a command was run, whether it wrote or not. */
        public int transactions() {
            return transactions.get();
        }
    }

    @Override
    public Socket createSocket() {
        return new CountingSocket(counts);
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
        private final Counts counts;
        private volatile boolean written;

        CountingSocket(Counts counts) {
            this.counts = counts;
        }

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
            Replies replies = new Replies(counts.transactions);
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read(byte[] bytes, int offset, int length) throws IOException {
                    if (written) {
                        written = false;
                        counts.roundTrips.incrementAndGet();
                    }
                    int count = super.read(bytes, offset, length);
                    for (int i = 0; i < count; i++) {
                        replies.next(bytes[offset + i]);
                    }
                    return count;
                }

                @Override
                public long skip(long count) throws IOException {
                    return Math.max(0, read(new byte[(int) count], 0, (int) count));
                }
            };
        }
    }

    /** The messages of the server: a letter, a length of four bytes that counts itself, and a body. */
    private static final class Replies {
        private static final int HEAD = 5;

        private final AtomicInteger transactions;
        private int read;
        private byte letter;
        private int length;
        private byte last;
        private boolean ran;

        Replies(AtomicInteger transactions) {
            this.transactions = transactions;
        }

        void next(byte value) {
            if (read == 0) {
                letter = value;
                length = 0;
            } else if (read < HEAD) {
                length = (length << 8) | (value & 0xff);
            }
            last = value;
            read++;
            if (read >= HEAD && read == length + 1) {
                end();
            }
        }

        private void end() {
            read = 0;
            if (letter == 'C') { // a command is complete
                ran = true;
            } else if (letter == 'Z' && last == 'I') { // ready for the next, in no transaction
                transactions.addAndGet(ran ? 1 : 0);
                ran = false;
            }
        }
    }
}
