-- lock/extend: sets the expiry of each live grant of :lock_ids to now plus its ttl. No row for an id without a grant.
--
-- Only under the advisory lock: it excludes a SyncGuard client that finds the lock expired. It is tried, not waited for, so that the
-- snapshot is as recent as the lock. Outcomes: (e)xtended; e(x)pired and left alone; (b)usy, a grant whose row another transaction has
-- locked or whose advisory lock another client has: repeat, later with wait_for_advisory_lock, which gets that advisory lock. A guard does
-- not block an extension. The columns are of fixed length, because otherwise pgjdbc sends the statements of a message one by one.
with clock as materialized (
  select coalesce(:now::bigint, ${clock}) as now_ms
),
ours as materialized (
  select l.ctid, l.lock_id
  from ${locks} l
  where l.lock_id = any (:lock_ids::text[])
    and l.expires_at_ms + ${tolerance} > (select now_ms from clock)
    and pg_try_advisory_xact_lock(hashtext(l.key)::bigint)
  for no key update skip locked
),
extended as (
  update ${locks} l
  set expires_at_ms = c.now_ms + w.ttl_ms
  from clock c, ours o
  join unnest(:lock_ids::text[], :ttls_ms::bigint[]) as w (lock_id, ttl_ms) on w.lock_id = o.lock_id
  where l.ctid = o.ctid
  returning l.lock_id, l.expires_at_ms
)
select
  'e'::"char" as outcome,
  lock_id::name as lock_id,
  expires_at_ms,
  null::name as payload,
  null::bigint as advisory_lock
from extended
union all
select
  case when l.expires_at_ms + ${tolerance} > c.now_ms then 'b'::"char" else 'x' end,
  l.lock_id,
  null,
  md5(l.key),
  hashtext(l.key)::bigint
from clock c, ${locks} l
where (select count(*) from extended) < cardinality(:lock_ids::text[])
  and l.lock_id = any (:lock_ids::text[])
  and l.lock_id <> all (array(select lock_id from extended));
