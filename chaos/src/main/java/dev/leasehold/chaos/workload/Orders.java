package dev.leasehold.chaos.workload;

import dev.leasehold.queue.QueueConfig;
import java.util.List;

/**
 * Orders become receipts and rows of a ledger, all in one transaction: in the end every order is in its queue, or it has one receipt
 * and one row.
 */
final class Orders {
    /** What makes the table; nothing in it forbids a row twice. */
    static final String CREATE = "create table if not exists chaos_ledger (entry text not null)";

    private Orders() {}

    static String orders(String prefix) {
        return prefix + "orders";
    }

    static String receipts(String prefix) {
        return prefix + "receipts";
    }

    /** What the ledger is called in the history. */
    static String ledger(String prefix) {
        return prefix + "ledger";
    }

    /** What is entered for an order. */
    static String entry(String order) {
        return order + "/entry";
    }

    /** An order that has become a receipt. */
    static String receipt(String order) {
        return order + "/receipt";
    }

    /** The receipt that belongs to an entry. */
    static String receiptOf(String entry) {
        return receipt(entry.substring(0, entry.length() - entry("").length()));
    }

    static List<QueueConfig> queues(String prefix) {
        return List.of(
                QueueConfig.named(orders(prefix))
                        .leaseTimeout(PipelineQueues.LEASE)
                        .partitions(2),
                QueueConfig.named(receipts(prefix)).leaseTimeout(PipelineQueues.LEASE));
    }
}
