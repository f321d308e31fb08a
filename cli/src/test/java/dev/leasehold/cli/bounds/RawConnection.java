package dev.leasehold.cli.bounds;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A connection to a server that sends whatever a test wants. */
final class RawConnection implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 60_000;
    private static final int SMALL_BUFFER = 8_192;
    private static final String LENGTH = "\r\ncontent-length: ";

    private final Socket socket;

    /** What the server answered; status 0 if it closed the connection instead. */
    record Answer(int status, String head, String body) {}

    private RawConnection(Socket socket) {
        this.socket = socket;
    }

    static RawConnection to(int port) throws IOException {
        return connected(new Socket(), port);
    }

    /** A connection whose receive buffer is small. */
    static RawConnection withSmallBuffer(int port) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(SMALL_BUFFER);
        return connected(socket, port);
    }

    private static RawConnection connected(Socket socket, int port) throws IOException {
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return new RawConnection(socket);
    }

    static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }

    static String post(String path, String body) {
        return postHead(path, body.getBytes(StandardCharsets.UTF_8).length) + body;
    }

    /** The head of a request that announces a body. */
    static String postHead(String path, int length) {
        return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                + length + "\r\n\r\n";
    }

    RawConnection send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    Answer answer() throws IOException {
        String head = head();
        if (head.isEmpty()) {
            return new Answer(0, "", "");
        }
        String lower = head.toLowerCase(Locale.ROOT);
        int at = lower.indexOf(LENGTH) + LENGTH.length();
        int length = Integer.parseInt(lower.substring(at, lower.indexOf('\r', at)));
        String body = new String(socket.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
        return new Answer(Integer.parseInt(head.split(" ", 3)[1]), head, body);
    }

    private String head() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        InputStream in = socket.getInputStream();
        int newest = in.read();
        for (int last4 = 0; newest >= 0; newest = in.read()) {
            head.write(newest);
            last4 = (last4 << 8) | newest;
            if (last4 == 0x0D0A0D0A) {
                break;
            }
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    /** Waits until the server closes the connection, and discards what it sends before; returns how much that was, -1 if it stays open. */
    long bytesUntilClosed() {
        long bytes = 0;
        byte[] buffer = new byte[SMALL_BUFFER];
        try {
            InputStream in = socket.getInputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                bytes += read;
            }
            return bytes;
        } catch (SocketTimeoutException e) {
            return -1;
        } catch (IOException e) {
            return bytes; // a reset
        }
    }

    boolean isClosedByServer() {
        return bytesUntilClosed() >= 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
