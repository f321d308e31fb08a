-- queue/transaction_outcomes: which of the transactions :xids have ended, and how. One with a number that the server has yet to assign was
-- lost with a failover, and one that it does not remember ended long ago: neither is known to have committed.
select
  x.xid,
  coalesce(x.xid < n.next_xid and pg_xact_status(least(x.xid, n.next_xid - 1)::text::xid8) = 'committed', false) as is_committed
from unnest(:xids::bigint[]) as x (xid)
cross join (
  select s.oldest::text::bigint + age(s.oldest::xid) as next_xid
  from (select pg_snapshot_xmin(pg_current_snapshot()) as oldest) as s
) as n
where x.xid >= n.next_xid
  or pg_xact_status(least(x.xid, n.next_xid - 1)::text::xid8) is distinct from 'in progress';
