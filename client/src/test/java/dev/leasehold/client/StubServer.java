package dev.leasehold.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A server that answers as the test says, or hangs up without a reply. */
final class StubServer implements AutoCloseable {
    private final ServerSocket socket;
    private final Function<Seen, @Nullable String> script;
    private final List<Seen> seen = new CopyOnWriteArrayList<>();

    /** @param number how many came before */
    record Seen(int number, String head, String body) {
        String path() {
            return head.split(" ", 3)[1];
        }
    }

    /** @param script gives the reply to a request, head and all; null hangs up */
    StubServer(Function<Seen, @Nullable String> script) throws IOException {
        this.script = script;
        this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::accept, "stub-server");
        thread.setDaemon(true);
        thread.start();
    }

    static String json(int status, String body) {
        return answer(status, "application/json", body);
    }

    static String answer(int status, String type, String body) {
        return "HTTP/1.1 " + status + " Text\r\nContent-Type: " + type + "\r\nContent-Length: "
                + body.getBytes(StandardCharsets.UTF_8).length + "\r\nConnection: close\r\n\r\n" + body;
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    List<Seen> seen() {
        return seen;
    }

    private void accept() {
        while (!socket.isClosed()) {
            try (Socket client = socket.accept()) {
                serve(client);
            } catch (IOException e) {
                // the next one, or closed
            }
        }
    }

    private void serve(Socket client) throws IOException {
        String head = head(client.getInputStream());
        int length = head.lines()
                .filter(line -> line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:"))
                .mapToInt(line -> Integer.parseInt(line.substring(15).trim()))
                .findFirst()
                .orElse(0);
        String body = new String(client.getInputStream().readNBytes(length), StandardCharsets.ISO_8859_1);
        Seen request = new Seen(seen.size(), head, body);
        seen.add(request);
        String reply = script.apply(request);
        if (reply != null) {
            client.getOutputStream().write(reply.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String head = "";
        int next;
        while (!head.endsWith("\r\n\r\n") && (next = in.read()) >= 0) {
            bytes.write(next);
            head = bytes.toString(StandardCharsets.ISO_8859_1);
        }
        return head;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
