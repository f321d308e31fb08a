-- lock/release: ends each live grant of :lock_ids.
--
-- An id with a ttl in :ttls_ms belongs to a grant whose caller had gone: it ends only if it is as an acquire with that ttl left it. If the
-- same holder has acquired it again since, that acquire returned it to a caller.
-- Outcomes: (r)eleased, with the node to notify, if the key is waited for elsewhere; (h)anded over, for those of :handed_over, which this
-- node acquires in the same message: no node is notified. No row for the others: repeat with release_with_reason.
-- The notification is sent after the commit, because it makes commits wait for each other. The columns are of fixed length, because
-- otherwise pgjdbc sends the statements of a message one by one.
with clock as materialized (
  select coalesce(:now::bigint, ${clock}) as now_ms
),
ours as materialized (
  select l.ctid
  from ${locks} l
  where l.lock_id = any (:lock_ids::text[])
    and l.expires_at_ms + ${tolerance} > (select now_ms from clock)
    and (
      :ttls_ms::bigint[] is null
      or coalesce(l.expires_at_ms = l.acquired_at_ms + (:ttls_ms::bigint[])[array_position(:lock_ids::text[], l.lock_id)], true)
    )
  for update skip locked
),
released as (
  delete from ${locks} l
  where l.ctid = any (array(select ctid from ours))
  returning l.lock_id, l.key
)
select
  case when r.lock_id = any (:handed_over::text[]) then 'h'::"char" else 'r' end as outcome,
  r.lock_id::name as lock_id,
  md5(r.key)::name as payload,
  case when r.lock_id = any (:handed_over::text[]) then null else ${waiting_node} end as waiting_node
from released r
