package dev.leasehold.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * One call, ready to be sent.
 *
 * @param path beneath the address of the server
 * @param contentType the type of the body, and of the reply that is asked for
 * @param headers further ones
 * @param patience what the server may take in addition to the usual time for an answer
 * @param isParked whether the server holds the call on purpose for that long
 * @param isRepeatable whether the call can be carried out twice without harm
 * @param server the number of the server that it shall go to if that can be reached; negative: the next in turn
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
