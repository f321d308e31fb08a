-- lock/acquire: grants each of :keys that is free.
--
-- It decides only about keys whose advisory lock it gets, which is SyncGuard's: without it a SyncGuard client that is acquiring would
-- overwrite the row. The advisory lock is tried, not waited for, so it comes after the snapshot in which the key is free. Whether the key
-- is still free, its fence tells: a grant in between has incremented it. So the fence is incremented only if it is still the one of the
-- snapshot, and only one transaction can do that. The fences are compared because many servers follow a ctid to a newer row version.
-- No part of the statement waits, so the rows need no order.
-- A lock id that the caller chose may belong to a grant of another key, live or expired. It is looked up first: a unique violation would
-- fail the whole batch, and PostgreSQL would log the lock id. Only two concurrent acquires can still cause one.
-- Outcomes, by the requested lock id: (g)ranted; (o)verflow of the fence; (u)sed for another key; (l)ocked, with the lock id of the grant
-- and the time until it expires, which has passed for an expired row: repeat with delete_expired. No row for a key whose advisory lock
-- another client has, or had a moment ago: repeat, later with wait_for_advisory_lock.
-- The index of the fences has the collation of the database, that of the locks byte order. With "offset 0" rows are looked up one by
-- one: otherwise the plan made for a nearly empty table would be a sequential scan, or an index scan over all dead entries of a busy day.
-- A refused attempt writes nothing. The columns are of fixed length, because otherwise pgjdbc sends the statements of a message one by one.
with wanted as materialized (
  select
    w.*,
    c.now_ms,
    l.lock_id as held_id,
    l.expires_at_ms + ${tolerance} - c.now_ms as free_in_ms,
    f.ctid as fence_row,
    f.fence,
    l.lock_id is null and exists (select from ${locks} o where o.lock_id = w.lock_id offset 0) as is_used
  from (select coalesce(:now::bigint, ${clock}) as now_ms offset 0) as c
  cross join unnest(:keys::text[], :lock_ids::text[], :ttls_ms::bigint[], :owners::text[], :instance_ids::text[])
    as w (key, lock_id, ttl_ms, owner, instance_id)
  left join lateral (select * from ${locks} where key = w.key offset 0) as l on true
  left join lateral (
    select ctid, fence from ${fences} where fence_key = ('fence:' || w.key) collate "default" offset 0
  ) as f on true
),
free as materialized (
  select *
  from wanted
  where held_id is null
    and not is_used
    and coalesce(fence, 0) < ${fence_max}
    and pg_try_advisory_xact_lock(hashtext(key)::bigint)
),
next_fences as (
  update ${fences} f
  set fence = f.fence + 1
  from free
  where f.ctid = free.fence_row
    and f.fence = free.fence
  returning free.*, f.fence as next_fence
),
first_fences as (
  insert into ${fences} (fence_key, fence, key_debug)
  select 'fence:' || key, 1, key
  from free
  where fence is null
  on conflict (fence_key) do nothing
  returning key_debug as key, fence
),
drawn as (
  select * from next_fences
  union all
  select free.*, f.fence from first_fences f join free using (key)
),
granted as (
  insert into ${locks} as l (
    key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key,
    holder_lock_id, holder_owner, holder_instance_id, holder_lease_ms
  )
  select
    key, lock_id, now_ms + ttl_ms, now_ms, lpad(next_fence::text, 15, '0'), key,
    case when owner is not null then lock_id end, owner, instance_id, ttl_ms
  from drawn
  returning l.lock_id, l.fence, l.acquired_at_ms, l.expires_at_ms
)
select
  'g'::"char" as outcome,
  lock_id::name as wanted_id,
  lock_id::name as lock_id,
  fence::bigint as fence,
  acquired_at_ms,
  expires_at_ms,
  null::bigint as free_in_ms
from granted
union all
select
  case when held_id is not null then 'l'::"char" when is_used then 'u' else 'o' end,
  lock_id, held_id, null, null, null, free_in_ms
from wanted
where held_id is not null
  or is_used
  or fence >= ${fence_max};
