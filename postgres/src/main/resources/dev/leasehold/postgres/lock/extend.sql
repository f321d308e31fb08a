-- lock/extend: sets the expiry of each live grant of :lock_ids to now plus its ttl. No row for an id: there is no such grant.
--
-- One transaction in one message. The advisory lock keeps out a SyncGuard client that is just finding the lock dead. What comes
-- out: (e)xtended; e(x)pired and left alone; (b)usy, a grant whose row another transaction has locked: ask again. A guard does not
-- lock an extension out. The columns are of fixed length, because otherwise pgjdbc sends the statements one by one.
begin isolation level read committed;

select count(pg_advisory_xact_lock(hash))
from (
  select distinct hashtext(l.key)::bigint as hash
  from ${locks} l
  where l.lock_id = any (:lock_ids::text[])
  order by hash
) as held;

with clock as materialized (
  select coalesce(:now::bigint, ${clock}) as now_ms
),
ours as materialized (
  select l.ctid, w.ttl_ms
  from unnest(:lock_ids::text[], :ttls_ms::bigint[]) as w (lock_id, ttl_ms)
  join ${locks} l on l.lock_id = w.lock_id
  where l.expires_at_ms + ${tolerance} > (select now_ms from clock)
  for no key update of l skip locked
),
extended as (
  update ${locks} l
  set expires_at_ms = c.now_ms + o.ttl_ms
  from ours o, clock c
  where l.ctid = o.ctid
  returning l.lock_id, l.expires_at_ms
)
select 'e'::"char" as outcome, lock_id::name as lock_id, expires_at_ms
from extended
union all
select case when l.expires_at_ms + ${tolerance} > c.now_ms then 'b'::"char" else 'x' end, l.lock_id, null
from clock c, ${locks} l
where (select count(*) from extended) < cardinality(:lock_ids::text[])
  and l.lock_id = any (:lock_ids::text[])
  and l.lock_id <> all (array(select lock_id from extended));

commit;
