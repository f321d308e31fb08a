package dev.leasehold.cli.lock;

import dev.leasehold.cli.verb.Format;
import dev.leasehold.cli.verb.Output;
import dev.leasehold.cli.verb.Target;
import dev.leasehold.cli.verb.Verb;
import dev.leasehold.lock.Locks;
import java.io.IOException;
import picocli.CommandLine.Mixin;

/** A verb that is answered by locks. */
abstract class LockVerb extends Verb {
    @Mixin
    private final Target target = new Target();

    @Mixin
    private final Format format = new Format();

    @Override
    protected final int run() throws IOException {
        check();
        try (Locks locks = target.locks()) {
            return run(locks, format.output(out()));
        }
    }

    /** Refuses what can be seen to be wrong without asking anybody. */
    void check() throws IOException {}

    abstract int run(Locks locks, Output output);
}
