package dev.leasehold.bench.lock;

/**
 * One worker's turn with the lock that all want. Times are those of the machine's monotonic clock, the same for all processes.
 *
 * @param acquired when it got the lock
 * @param released when it began to give it back
 * @param waited how long it had waited
 */
record Turn(int worker, long acquired, long released, long waited) {
    String text() {
        return worker + " " + acquired + " " + released + " " + waited;
    }

    static Turn parse(String text) {
        String[] parts = text.split(" ", -1);
        return new Turn(
                Integer.parseInt(parts[0]),
                Long.parseLong(parts[1]),
                Long.parseLong(parts[2]),
                Long.parseLong(parts[3]));
    }
}
