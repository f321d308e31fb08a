package dev.leasehold.testkit.proxy;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One message of PostgreSQL's protocol, whole.
 *
 * @param type the letter that says what it is; zero for the first message of a connection, which has none
 * @param bytes all of it, as it was on the wire
 */
@SuppressWarnings("ArrayRecordComponent") // it is handed on and forgotten
record Packet(char type, byte[] bytes) {
    private static final int LENGTH = 4;
    private static final int MOST_BYTES = 256 * 1024 * 1024;
    private static final int CANCEL = 80877102;
    private static final int SSL = 80877103;
    private static final int GSS = 80877104;

    /** The next message with a type; null when the connection has ended. */
    static @Nullable Packet read(DataInputStream in) throws IOException {
        int type = in.read();
        return type < 0 ? null : rest((char) type, 1, in);
    }

    /** The first message of a client; null when the connection has ended. */
    static @Nullable Packet readFirst(DataInputStream in) throws IOException {
        try {
            return rest((char) 0, 0, in);
        } catch (EOFException e) {
            return null;
        }
    }

    private static Packet rest(char type, int before, DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < LENGTH || length > MOST_BYTES) {
            throw new IOException("no message of PostgreSQL has the length " + length);
        }
        ByteBuffer all = ByteBuffer.allocate(before + length);
        if (before > 0) {
            all.put((byte) type);
        }
        all.putInt(length);
        in.readFully(all.array(), all.position(), length - LENGTH);
        return new Packet(type, all.array());
    }

    /** A first message that asks for encryption: it is answered by one letter, and followed by another first message. */
    boolean asksForEncryption() {
        return type == 0 && (code() == SSL || code() == GSS);
    }

    /** A first message that asks to cancel what another connection does; there is no answer. */
    boolean isCancel() {
        return type == 0 && code() == CANCEL;
    }

    private int code() {
        return ByteBuffer.wrap(bytes).getInt(LENGTH);
    }

    /** Of a client: something to parse, bind, execute or query. */
    boolean isStatement() {
        return type == 'Q' || type == 'P' || type == 'B' || type == 'E';
    }

    /** Of a server: comes at any time, and belongs to no statement. */
    boolean isUnasked() {
        return type == 'A' || type == 'N' || type == 'S';
    }

    /** Of a server: what was asked is answered. */
    boolean isReady() {
        return type == 'Z';
    }

    /** Of a server: answered, and no transaction is open. */
    boolean isIdle() {
        return isReady() && bytes[bytes.length - 1] == 'I';
    }

    /** Of a server: a statement was carried out that commits, or that writes and commits by itself if no transaction is open. */
    boolean isWritten() {
        String tag = type == 'C' ? new String(bytes, 5, bytes.length - 6, StandardCharsets.US_ASCII) : "";
        return tag.startsWith("COMMIT")
                || tag.startsWith("INSERT")
                || tag.startsWith("UPDATE")
                || tag.startsWith("DELETE");
    }
}
