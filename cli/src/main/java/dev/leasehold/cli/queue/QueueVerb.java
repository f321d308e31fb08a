package dev.leasehold.cli.queue;

import dev.leasehold.cli.verb.Format;
import dev.leasehold.cli.verb.Output;
import dev.leasehold.cli.verb.Target;
import dev.leasehold.cli.verb.Verb;
import dev.leasehold.queue.Queues;
import java.io.IOException;
import picocli.CommandLine.Mixin;

/** A verb that is answered by queues. */
abstract class QueueVerb extends Verb {
    @Mixin
    private final Target target = new Target();

    @Mixin
    private final Format format = new Format();

    @Override
    protected final int run() throws IOException {
        check();
        try (Queues queues = target.queues()) {
            return run(queues, format.output(out()));
        }
    }

    /** Refuses what can be seen to be wrong without asking anybody. */
    void check() throws IOException {}

    abstract int run(Queues queues, Output output) throws IOException;
}
