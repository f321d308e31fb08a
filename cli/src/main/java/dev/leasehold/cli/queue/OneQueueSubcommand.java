package dev.leasehold.cli.queue;

import picocli.CommandLine.Parameters;

/** A command that works on one queue. */
abstract class OneQueueSubcommand extends QueueSubcommand {
    @Parameters(index = "0", paramLabel = "QUEUE", description = "The name of the queue.")
    private String queueName = "";

    final String queueName() {
        return queueName;
    }

    @Override
    String namespaceForPeople() {
        return "the namespace of the queue '" + queueName + "', which is '_system' unless it was created in another";
    }
}
