package dev.leasehold.chaos.workload;

import dev.leasehold.testkit.process.Polling;
import java.util.Random;

/** One thread of a client: a turn of its work, and again, until the run is over. */
abstract class Worker implements Runnable {
    final Client client;
    final String name;
    final Random random;
    private final int paceMillis;
    private int made;

    Worker(Client client, String kind, int number, int paceMillis) {
        this.client = client;
        this.name = kind + "-" + number;
        this.random = client.random(number);
        this.paceMillis = paceMillis;
    }

    @Override
    public final void run() {
        while (!client.isOver().get()) {
            turn();
            pause(1 + random.nextInt(2 * paceMillis));
        }
        end();
    }

    /** What is to be done when the run is over. */
    void end() {}

    abstract void turn();

    /** A text that nobody else of the run has or had. */
    final String unique() {
        return client.node() + "/" + name + "/" + ++made;
    }

    /** True so many times in a hundred. */
    final boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** Works, or only seems to. */
    static void pause(int millis) {
        Polling.sleep(millis);
    }
}
