package dev.leasehold.testkit.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports that stay free while whoever listens there is down: not of those that the operating system hands out to connections, or
 * one of them might sit there when its owner comes back.
 */
public final class Ports {
    private static final int FIRST = 20_000;
    private static final int LAST = 32_000;
    private static final int TRIES = 1000;

    private Ports() {}

    /** One that nobody listens on. */
    public static int free() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (isFree(port)) {
                return port;
            }
        }
        throw new HarnessException("there is no free port between " + FIRST + " and " + LAST);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
