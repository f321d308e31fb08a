package dev.leasehold.server.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** A process that opens connections and says nothing, until its input ends. It is one of its own because files are counted. */
public final class IdleCrowd {
    private IdleCrowd() {}

    public static void main(String[] args) throws IOException {
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        List<SocketChannel> open = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            open.add(SocketChannel.open(server));
        }
        System.out.println("open");
        while (System.in.read() >= 0) {
            // stays
        }
        for (SocketChannel channel : open) {
            channel.close();
        }
    }
}
