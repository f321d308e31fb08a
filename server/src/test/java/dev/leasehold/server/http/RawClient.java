package dev.leasehold.server.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A connection that says whatever it wants to. */
final class RawClient implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 30_000;

    private final Socket socket;

    RawClient(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setTcpNoDelay(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String post(String path, String body) {
        return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body;
    }

    Socket socket() {
        return socket;
    }

    RawClient send(String text) {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    RawClient send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** The next answer; an empty one with status 0 if the server hung up instead. */
    Answer answer() {
        String head = head();
        if (head.isEmpty()) {
            return new Answer(0, "", "");
        }
        int status = Integer.parseInt(head.split(" ", 3)[1]);
        String lower = head.toLowerCase(Locale.ROOT);
        int at = lower.indexOf("\r\ncontent-length: ");
        int length =
                at < 0 || status < 200 ? 0 : Integer.parseInt(lower.substring(at + 18, lower.indexOf("\r\n", at + 2)));
        return new Answer(status, head, new String(read(length), StandardCharsets.UTF_8));
    }

    /** The head of the next answer; empty if the server hung up. */
    String head() {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int b = read();
            if (b < 0) {
                return head.toString(StandardCharsets.ISO_8859_1);
            }
            head.write(b);
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    private byte[] read(int length) {
        try {
            return socket.getInputStream().readNBytes(length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int read() {
        try {
            return socket.getInputStream().read();
        } catch (SocketException e) {
            return -1; // it was hung up on rudely
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the server hangs up, and forgets what it says before. */
    boolean isHungUpOn() {
        try {
            InputStream in = socket.getInputStream();
            while (in.read() >= 0) {
                // goes on
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the server said. */
    record Answer(int status, String head, String body) {
        boolean isRefusal() {
            return status >= 400 && status < 500;
        }
    }
}
