package dev.leasehold.cli.attack;

import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Many connections to a server on this machine, which send as much as it takes at once and never wait for anything. */
final class Crowd implements AutoCloseable {
    private static final int SPARE_FILES = 1_000;

    private final List<SocketChannel> channels = new ArrayList<>();

    /** Opens connections that each send these bytes. The test is skipped if this process may not open so many files. */
    static Crowd of(int count, int port, byte[] bytes) {
        needFiles(count);
        Crowd crowd = new Crowd();
        try {
            for (int i = 0; i < count; i++) {
                crowd.channels.add(open(port));
                crowd.send(i, bytes);
            }
            return crowd;
        } catch (IOException e) {
            crowd.close();
            throw new UncheckedIOException(e);
        }
    }

    static byte[] bytes(String head, int body) {
        return (head + " ".repeat(body)).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void needFiles(int wanted) {
        boolean enough = !(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix)
                || unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount() > wanted + SPARE_FILES;
        assumeThat(enough)
                .as("this needs %d open files; raise it with ulimit -n", wanted + SPARE_FILES)
                .isTrue();
    }

    private static SocketChannel open(int port) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 4_096); // who does not read has little room
        channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.configureBlocking(false);
        return channel;
    }

    private void send(int i, byte[] bytes) {
        try {
            channels.get(i).write(ByteBuffer.wrap(bytes));
        } catch (IOException e) {
            // it was hung up on: as good an answer as any
        }
    }

    /** Sends these bytes on every connection that is still there. */
    void sendAll(byte[] bytes) {
        for (int i = 0; i < channels.size(); i++) {
            send(i, bytes);
        }
    }

    /** Says on every connection that nothing more will come, and keeps it open. */
    void shutdownOutputs() {
        for (SocketChannel channel : channels) {
            try {
                channel.shutdownOutput();
            } catch (IOException e) {
                // it was hung up on
            }
        }
    }

    @Override
    public void close() {
        for (SocketChannel channel : channels) {
            try {
                channel.close();
            } catch (IOException e) {
                // it is of no use any more
            }
        }
    }
}
