package dev.leasehold.testkit.proxy;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One connection through the proxy: a thread in each direction, and the end of one is the end of both. */
final class Link {
    private static final int BUFFER = 32 * 1024;

    private final Socket client;
    private final Socket server;
    private final ProxyFaults faults;
    private final Consumer<Link> onEnd;
    private volatile boolean isSilent;
    private boolean beginsStatements = true;
    private boolean beginsReplies = true;

    Link(Socket client, Socket server, ProxyFaults faults, Consumer<Link> onEnd) {
        this.client = client;
        this.server = server;
        this.faults = faults;
        this.onEnd = onEnd;
    }

    void start() {
        run("proxy-statements", this::toServer);
        run("proxy-replies", this::toClient);
    }

    private void run(String name, Direction direction) {
        Thread thread = new Thread(
                () -> {
                    try {
                        direction.copy();
                    } catch (IOException e) {
                        cut(); // one of the two has gone: so does the other
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } finally {
                        cut();
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    private interface Direction {
        void copy() throws IOException, InterruptedException;
    }

    private void toServer() throws IOException, InterruptedException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream(), BUFFER));
        OutputStream out = new BufferedOutputStream(server.getOutputStream(), BUFFER);
        Packet packet = first(in);
        while (packet != null) {
            if (beginsStatements) {
                faults.travel();
            }
            pass();
            if (packet.isStatement() && faults.cutsNow()) {
                out.write(packet.bytes(), 0, packet.bytes().length / 2);
                out.flush();
                return;
            }
            out.write(packet.bytes());
            beginsStatements = in.available() == 0;
            if (beginsStatements) {
                out.flush();
            }
            packet = packet.isCancel() ? null : Packet.read(in);
        }
    }

    /** We have no encryption to offer, and say so in the server's place. */
    private @Nullable Packet first(DataInputStream in) throws IOException {
        Packet packet = Packet.readFirst(in);
        while (packet != null && packet.asksForEncryption()) {
            client.getOutputStream().write('N');
            packet = Packet.readFirst(in);
        }
        return packet;
    }

    private void toClient() throws IOException, InterruptedException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(server.getInputStream(), BUFFER));
        OutputStream out = new BufferedOutputStream(client.getOutputStream(), BUFFER);
        boolean open = untilReady(in, out);
        while (open) {
            Packet packet = Packet.read(in);
            if (packet == null) {
                return;
            }
            if (packet.isUnasked() || packet.isReady()) {
                forward(packet, in, out);
            } else if (faults.losesNow()) {
                open = deliver(reply(packet, in), out);
            } else {
                forward(packet, in, out);
                open = untilReady(in, out);
            }
        }
    }

    /** Forwards until the server is ready for more; false if the connection ended before. */
    private boolean untilReady(DataInputStream in, OutputStream out) throws IOException, InterruptedException {
        Packet packet = Packet.read(in);
        while (packet != null) {
            forward(packet, in, out);
            if (packet.isReady()) {
                return true;
            }
            packet = Packet.read(in);
        }
        return false;
    }

    private void forward(Packet packet, DataInputStream in, OutputStream out) throws IOException, InterruptedException {
        if (beginsReplies) {
            faults.travel();
        }
        pass();
        if (faults.swallowsReplies()) {
            return;
        }
        out.write(packet.bytes());
        beginsReplies = in.available() == 0;
        if (beginsReplies) {
            out.flush();
        }
    }

    /** The whole reply that begins with {@code first}. */
    private static List<Packet> reply(Packet first, DataInputStream in) throws IOException {
        List<Packet> reply = new ArrayList<>();
        Packet packet = first;
        while (packet != null) {
            reply.add(packet);
            packet = packet.isReady() ? null : Packet.read(in);
        }
        return reply;
    }

    /** Delivers a reply, or nothing of it if it tells of a commit; false then. */
    private boolean deliver(List<Packet> reply, OutputStream out) throws IOException, InterruptedException {
        boolean committed =
                reply.get(reply.size() - 1).isIdle() && reply.stream().anyMatch(Packet::isWritten);
        if (committed) {
            faults.lost();
            return false;
        }
        pass();
        for (Packet packet : reply) {
            out.write(packet.bytes());
        }
        out.flush();
        return true;
    }

    /** What is held up now is never delivered. */
    void silence() {
        isSilent = true;
    }

    private void pass() throws IOException, InterruptedException {
        faults.pass();
        if (isSilent) {
            throw new IOException("nothing passes any more");
        }
    }

    /** Ends the connection, for both. */
    void cut() {
        close(client);
        close(server);
        onEnd.accept(this);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException("a socket cannot be closed", e);
        }
    }
}
