-- queue/fates: which of the transactions :xids have ended, and how.
select x.xid, pg_xact_status(x.xid::text::xid8) = 'committed' as is_committed
from unnest(:xids::bigint[]) as x (xid)
where pg_xact_status(x.xid::text::xid8) <> 'in progress';
