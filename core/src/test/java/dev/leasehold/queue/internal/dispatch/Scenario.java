package dev.leasehold.queue.internal.dispatch;

import java.util.List;

/**
 * What may happen in a {@link World}: how often, if it is a number.
 *
 * @param stores the store of each partition
 * @param ready how many items are ready in each partition at the beginning
 * @param produces items that this node produces
 * @param foreign items that other nodes produce, with or without a notification
 * @param failures calls that a store does not carry out, or whose reply is lost
 * @param changes calls that find the queue changed
 */
record Scenario(
        List<String> stores,
        List<Integer> ready,
        int consumers,
        int batchSize,
        boolean cancels,
        int produces,
        int foreign,
        int failures,
        int changes,
        int beats,
        int closes) {
    /** Partitions with so many ready items, in the stores of these names, and consumers that want one item each. */
    static Scenario of(List<String> stores, List<Integer> ready, int consumers) {
        return new Scenario(stores, ready, consumers, 1, false, 0, 0, 0, 0, 0, 0);
    }

    Scenario batchSize(int size) {
        return new Scenario(
                stores, ready, consumers, size, cancels, produces, foreign, failures, changes, beats, closes);
    }

    Scenario withCancels() {
        return new Scenario(
                stores, ready, consumers, batchSize, true, produces, foreign, failures, changes, beats, closes);
    }

    Scenario produces(int count) {
        return new Scenario(
                stores, ready, consumers, batchSize, cancels, count, foreign, failures, changes, beats, closes);
    }

    Scenario foreign(int count) {
        return new Scenario(
                stores, ready, consumers, batchSize, cancels, produces, count, failures, changes, beats, closes);
    }

    Scenario failures(int count) {
        return new Scenario(
                stores, ready, consumers, batchSize, cancels, produces, foreign, count, changes, beats, closes);
    }

    Scenario changes(int count) {
        return new Scenario(
                stores, ready, consumers, batchSize, cancels, produces, foreign, failures, count, beats, closes);
    }

    Scenario beats(int count) {
        return new Scenario(
                stores, ready, consumers, batchSize, cancels, produces, foreign, failures, changes, count, closes);
    }

    Scenario withClose() {
        return new Scenario(
                stores, ready, consumers, batchSize, cancels, produces, foreign, failures, changes, beats, 1);
    }
}
