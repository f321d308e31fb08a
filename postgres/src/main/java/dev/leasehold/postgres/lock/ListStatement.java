package dev.leasehold.postgres.lock;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.admin.ListedLock;
import dev.leasehold.lock.admin.LockListing;
import dev.leasehold.postgres.internal.BatchedStatement;
import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.postgres.internal.Rows;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One page of locks; pages are not batched. */
final class ListStatement implements BatchedStatement<LockListing, List<ListedLock>> {
    /** Behind a prefix, the end of all keys that begin with it: as many of the last character as a key has room for. */
    private static final String LAST =
            Character.toString(Character.MAX_CODE_POINT).repeat(LockKey.MAX_BYTES / 4);

    private final Sql sql;
    private final StoreClock clock;

    ListStatement(Sql sql, StoreClock clock) {
        this.sql = sql;
        this.clock = clock;
    }

    @Override
    public int maxGroup() {
        return 1;
    }

    @Override
    public Sql sql(List<PendingCall<LockListing, List<ListedLock>>> group) {
        return sql;
    }

    @Override
    public Map<String, @Nullable Object> values(List<PendingCall<LockListing, List<ListedLock>>> group) {
        LockListing listing = group.get(0).request();
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("prefix", listing.prefix());
        values.put("pivot", listing.pivot());
        values.put("last", listing.prefix() + LAST);
        values.put("limit", (long) listing.limit());
        values.put("now", clock.now());
        return values;
    }

    @Override
    public void answer(
            ResultSet row,
            List<PendingCall<LockListing, List<ListedLock>>> group,
            List<PendingCall<LockListing, List<ListedLock>>> busy)
            throws SQLException {
        List<ListedLock> page = new ArrayList<>();
        try {
            while (row.next()) {
                page.add(listed(row));
            }
            group.get(0).succeed(page);
        } catch (LockException e) {
            group.get(0).fail(new LockException(LockErrorCode.INTERNAL, "Invalid lock row data", e));
        }
    }

    private static ListedLock listed(ResultSet row) throws SQLException {
        @Nullable String owner = row.getString("owner");
        return new ListedLock(
                LockKey.of(row.getString("key")),
                owner == null ? null : Holder.of(owner, row.getString("instance_id")),
                Rows.instant(row, "acquired_at_ms"),
                Rows.instant(row, "expires_at_ms"),
                Fence.parse(Rows.text(row, "fence")));
    }
}
