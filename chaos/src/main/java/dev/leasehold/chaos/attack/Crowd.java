package dev.leasehold.chaos.attack;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.leasehold.testkit.process.HarnessException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Many connections to a server on this machine, which send as much as it takes at once and never wait for anything. */
final class Crowd implements AutoCloseable {
    private static final int SPARE_FILES = 1_000;

    private final List<SocketChannel> channels = new ArrayList<>();

    private Crowd() {}

    /** Opens connections, each of which sends the bytes that its number gives. */
    static Crowd of(int count, int port, IntFunction<byte[]> bytes) {
        Crowd crowd = new Crowd();
        try {
            for (int i = 0; i < count; i++) {
                crowd.channels.add(open(port));
                crowd.send(i, bytes.apply(i));
            }
            return crowd;
        } catch (IOException e) {
            crowd.close();
            throw new HarnessException("could not open " + count + " connections", e);
        }
    }

    /** How many connections this process may open. */
    static long possible() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount() - SPARE_FILES
                : Long.MAX_VALUE;
    }

    private static SocketChannel open(int port) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 4_096); // a client that does not read has little room
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
