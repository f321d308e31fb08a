-- lock/release: ends each live grant of :lock_ids.
--
-- An id with a ttl in :ttls_ms is given back by somebody who was never told of the grant: it ends only if it is as an acquire with
-- that ttl left it. If the same holder has acquired it again since, that acquire was told that it holds it.
-- What comes out: (r)eleased, with the node that waits for the key elsewhere and is to be told, if one does; (h)anded over, for those
-- of :handed_over, which somebody of this node acquires in the same message: nobody is told. Nothing for the others: ask again, with
-- release_with_reason, which says why.
-- It is told after the commit: a notification makes commits wait for each other. The columns are of fixed length, because otherwise
-- pgjdbc sends the statements of a message one by one.
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
