-- lock/reacquire: precedes acquire in the same transaction, for attempts that may hold their lock already, by its lock id or as its holder.
-- Such a grant keeps its lock id and fence, and gets a new expiry. The expiry changes in any case, because release reads from it whether
-- a grant was acquired again.
--
-- As in acquire, only under the advisory lock: without it a SyncGuard client that finds the lock expired would overwrite it.
-- Outcomes, by the requested lock id: (g)ranted again; (b)usy, because another client has the advisory lock or another transaction the
-- row lock: repeat. No row for an attempt that does not hold the lock.
with wanted as materialized (
  select w.*, c.now_ms, l.lock_id as held_id, pg_try_advisory_xact_lock(hashtext(w.key)::bigint) as is_ours
  from (select coalesce(:now::bigint, ${clock}) as now_ms offset 0) as c
  cross join unnest(
    :again_keys::text[], :again_lock_ids::text[], :again_ttls_ms::bigint[], :again_owners::text[], :again_instance_ids::text[]
  ) as w (key, lock_id, ttl_ms, owner, instance_id)
  cross join lateral (select * from ${locks} where key = w.key offset 0) as l
  where l.expires_at_ms + ${tolerance} > c.now_ms
    and (
      l.lock_id = w.lock_id
      or (l.holder_lock_id = l.lock_id and l.holder_owner = w.owner and l.holder_instance_id = w.instance_id)
    )
),
ours as materialized (
  select l.lock_id
  from ${locks} l
  where l.lock_id = any (array(select held_id from wanted where is_ours))
  for no key update skip locked
),
again as (
  update ${locks} l
  set (expires_at_ms, holder_lease_ms) = (
    select w.now_ms + w.ttl_ms + (w.now_ms + w.ttl_ms = l.expires_at_ms)::int, w.ttl_ms
    from wanted w
    where w.held_id = l.lock_id
    limit 1
  )
  where l.lock_id = any (array(select lock_id from ours))
  returning l.lock_id, l.fence, l.acquired_at_ms, l.expires_at_ms
)
select
  case when a.lock_id is null then 'b'::"char" else 'g' end as outcome,
  w.lock_id::name as wanted_id,
  a.lock_id::name as lock_id,
  a.fence::bigint as fence,
  a.acquired_at_ms,
  a.expires_at_ms
from wanted w
left join again a on a.lock_id = w.held_id;
