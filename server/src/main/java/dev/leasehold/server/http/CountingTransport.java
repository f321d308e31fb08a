package dev.leasehold.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.vertx.core.transport.Transport;
import java.util.List;

/**
 * Vert.x' NIO transport, which counts connections where they are accepted. Vert.x itself shows a connection only after the TLS
 * handshake; until then as many could be open as there are file descriptors.
 */
final class CountingTransport implements Transport, io.vertx.core.spi.transport.Transport {
    private final io.vertx.core.spi.transport.Transport nio = Transport.NIO.implementation();
    private final Connections connections;

    CountingTransport(Connections connections) {
        this.connections = connections;
    }

    @Override
    public String name() {
        return "nio";
    }

    @Override
    public boolean available() {
        return true;
    }

    @Override
    public Throwable unavailabilityCause() {
        return nio.unavailabilityCause();
    }

    @Override
    public io.vertx.core.spi.transport.Transport implementation() {
        return this;
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
        return nio.ioHandlerFactory();
    }

    @Override
    public DatagramChannel datagramChannel() {
        return nio.datagramChannel();
    }

    @Override
    @SuppressWarnings("deprecation") // so the interface wants it
    public DatagramChannel datagramChannel(InternetProtocolFamily family) {
        return nio.datagramChannel(family);
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
        return nio.channelFactory(domainSocket);
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
        return () -> new CountingServerChannel(connections);
    }

    private static final class CountingServerChannel extends NioServerSocketChannel {
        private final Connections connections;

        CountingServerChannel(Connections connections) {
            this.connections = connections;
        }

        @Override
        protected int doReadMessages(List<Object> accepted) throws Exception {
            int count = super.doReadMessages(accepted);
            if (count > 0) {
                count((Channel) accepted.get(accepted.size() - 1), accepted);
            }
            return count;
        }

        private void count(Channel channel, List<Object> accepted) {
            if (connections.accept()) {
                channel.closeFuture().addListener(closed -> connections.closed());
            } else {
                accepted.remove(accepted.size() - 1);
                channel.unsafe().closeForcibly();
            }
        }
    }
}
