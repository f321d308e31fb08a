package dev.leasehold.postgres.queue;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Distinguishes a lost lease from one that the caller's snapshot cannot show: under REPEATABLE READ and SERIALIZABLE, an item that was
 * leased after the first statement of the transaction appears as not leased, or does not appear. A read outside of that transaction
 * decides.
 */
final class StaleSnapshot {
    private static final Set<QueueErrorCode> NOT_SEEN = Set.of(QueueErrorCode.NOT_LEASED, QueueErrorCode.NO_SUCH_ITEM);
    private static final Pattern ID = Pattern.compile("'([0-9A-Za-z]{27})'");

    private StaleSnapshot() {}

    /** Whether an old snapshot may be the reason for a failure; asked before the transaction is doomed. */
    static boolean canApply(Connection connection, QueueException failure) {
        try {
            return NOT_SEEN.contains(failure.code())
                    && connection.getTransactionIsolation() >= Connection.TRANSACTION_REPEATABLE_READ;
        } catch (SQLException e) {
            return false;
        }
    }

    /** The failure, or that the snapshot is old if the item that it names is leased. */
    static QueueException of(QueueException failure, int partition, ItemQueue queue) {
        Matcher id = ID.matcher(String.valueOf(failure.getMessage()));
        if (!id.find() || !isLeased(new ItemId(id.group(1)), partition, queue)) {
            return failure;
        }
        return new QueueException(
                QueueErrorCode.SERVICE_UNAVAILABLE,
                "item(s) cannot be completed; '" + id.group(1)
                        + "' is leased, but this transaction's snapshot is from before"
                        + " its lease: lease the item before the transaction begins, and repeat the transaction",
                failure);
    }

    private static boolean isLeased(ItemId id, int partition, ItemQueue queue) {
        try {
            List<StoredItem> found = queue.admin().list(new ItemListing(partition, id, 1));
            return !found.isEmpty()
                    && id.equals(found.get(0).id())
                    && found.get(0).isLeased();
        } catch (QueueException e) {
            return false; // the original failure is reported
        }
    }
}
