package dev.leasehold.client;

import java.time.Duration;
import java.util.Map;

/**
 * One call, ready to be sent.
 *
 * @param path beneath the address of the server
 * @param contentType the type of the body, and of the answer that is asked for
 * @param headers further ones
 * @param patience how long the server may hold the call on purpose; the time for an answer begins after it
 * @param isRepeatable whether the call can be carried out twice without harm
 */
@SuppressWarnings("ArrayRecordComponent") // handed over, never changed
record Post(
        String path,
        String contentType,
        Map<String, String> headers,
        byte[] body,
        Duration patience,
        boolean isRepeatable) {
    static Post of(String path, String contentType, byte[] body) {
        return new Post(path, contentType, Map.of(), body, Duration.ZERO, false);
    }

    Post repeatable() {
        return new Post(path, contentType, headers, body, patience, true);
    }

    Post patience(Duration patience) {
        return new Post(path, contentType, headers, body, patience, isRepeatable);
    }

    Post header(String name, String value) {
        return new Post(path, contentType, Map.of(name, value), body, patience, isRepeatable);
    }

    /** Whether the server may hold it for longer than a moment. */
    boolean isPatient() {
        return !patience.isZero();
    }
}
