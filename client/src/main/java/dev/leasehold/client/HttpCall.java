package dev.leasehold.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * A call, ready to be sent.
 *
 * @param path appended to the address of the server
 * @param contentType of the body, and of the reply that is accepted
 * @param headers additional headers
 * @param patience added to the timeout
 * @param isParked whether the server may hold the call for that long (long polling)
 * @param isRepeatable whether the call is idempotent
 * @param server the number of the preferred server; negative: the next in turn
 */
@SuppressWarnings("ArrayRecordComponent") // handed over, never changed
record HttpCall(
        String path,
        String contentType,
        Map<String, String> headers,
        byte[] body,
        Duration patience,
        boolean isParked,
        boolean isRepeatable,
        int server) {
    static HttpCall of(String path, String contentType, byte[] body) {
        return new HttpCall(path, contentType, Map.of(), body, Duration.ZERO, false, false, -1);
    }

    HttpCall repeatable() {
        return new HttpCall(path, contentType, headers, body, patience, isParked, true, server);
    }

    HttpCall patience(Duration patience) {
        return new HttpCall(path, contentType, headers, body, patience, isParked, isRepeatable, server);
    }

    HttpCall parked(Duration patience) {
        return new HttpCall(path, contentType, headers, body, patience, !patience.isZero(), isRepeatable, server);
    }

    HttpCall header(String name, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return new HttpCall(path, contentType, more, body, patience, isParked, isRepeatable, server);
    }

    HttpCall at(int server) {
        return new HttpCall(path, contentType, headers, body, patience, isParked, isRepeatable, server);
    }
}
