package dev.leasehold.client;

import java.util.Locale;

/**
 * The reply of a server.
 *
 * @param contentType the type of the body, without parameters, in lower case; empty if there was none
 * @param isRepeated whether an earlier attempt of the same call may have been carried out although no reply came
 */
@SuppressWarnings("ArrayRecordComponent") // read once, never changed
record HttpReply(int status, String contentType, byte[] body, boolean isRepeated) {
    static final String JSON = "application/json";
    static final String PROTOBUF = "application/protobuf";

    HttpReply {
        int parameters = contentType.indexOf(';');
        contentType = (parameters < 0 ? contentType : contentType.substring(0, parameters))
                .trim()
                .toLowerCase(Locale.ROOT);
    }

    boolean isOk() {
        return status == 200;
    }

    HttpReply repeated() {
        return new HttpReply(status, contentType, body, true);
    }
}
