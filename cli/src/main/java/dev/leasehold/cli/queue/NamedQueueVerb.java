package dev.leasehold.cli.queue;

import picocli.CommandLine.Parameters;

/** A verb that works on one queue. */
abstract class NamedQueueVerb extends QueueVerb {
    @Parameters(index = "0", paramLabel = "QUEUE", description = "The name of the queue.")
    private String queueName = "";

    final String queueName() {
        return queueName;
    }
}
