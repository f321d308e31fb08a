-- lock/acquire: grants each of :keys that is free.
--
-- It decides only about keys whose advisory lock it gets, SyncGuard's: without it a SyncGuard client that is just acquiring would
-- overwrite the row. The lock is tried, not waited for, so that the snapshot is as good as the lock: a row that was written in
-- between is met by the insert, which then does nothing. Nothing here waits for anybody, so the rows need no order: fences and
-- grants are written only under the advisory lock.
-- What comes out, by the lock id that was asked for: (g)ranted; (o)verflow of the fence; (l)ocked, with the lock id that it has and
-- the time until it is dead, which is over for a dead row: ask again, with acquire_dead. Nothing comes out for a key whose advisory
-- lock another client has, or had a moment ago: ask again, with acquire_patiently.
-- A fence that is there is drawn by an update, which is cheaper than an upsert; one that is not, or was not yet to be seen, by that.
-- The index of the fences has the database's own order, that of the locks the order of bytes. With "offset 0" locks are looked up one by
-- one: a table that is nearly empty now would be read as a whole, and its index with all the dead entries of a busy day.
-- A loser writes nothing. The columns are of fixed length, because otherwise pgjdbc sends the statements of a message one by one.
with wanted as materialized (
  select
    w.*,
    c.now_ms,
    l.lock_id as held_id,
    l.expires_at_ms + ${tolerance} - c.now_ms as free_in_ms
  from (select coalesce(:now::bigint, ${clock}) as now_ms offset 0) as c
  cross join unnest(:keys::text[], :lock_ids::text[], :ttls_ms::bigint[], :owners::text[], :instance_ids::text[])
    as w (key, lock_id, ttl_ms, owner, instance_id)
  left join lateral (select * from ${locks} where key = w.key offset 0) as l on true
),
free as materialized (
  select key, ('fence:' || key) collate "default" as fence_key
  from wanted
  where held_id is null
    and pg_try_advisory_xact_lock(hashtext(key)::bigint)
),
next_fences as (
  update ${fences} f
  set fence = least(f.fence + 1, ${fence_max} + 1)
  where f.fence_key = any (array(select fence_key from free))
  returning f.fence_key, f.fence
),
first_fences as (
  insert into ${fences} as f (fence_key, fence, key_debug)
  select fence_key, 1, key
  from free
  where (select count(*) from next_fences) < (select count(*) from free)
    and fence_key <> all (array(select fence_key from next_fences))
  on conflict (fence_key) do update set fence = least(f.fence + 1, ${fence_max} + 1)
  returning f.fence_key, f.fence
),
fences as materialized (
  select * from next_fences
  union all
  select * from first_fences
),
granted as (
  insert into ${locks} as l (
    key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key,
    holder_lock_id, holder_owner, holder_instance_id, holder_lease_ms
  )
  select
    w.key, w.lock_id, w.now_ms + w.ttl_ms, w.now_ms, lpad(f.fence::text, 15, '0'), w.key,
    case when w.owner is not null then w.lock_id end, w.owner, w.instance_id, w.ttl_ms
  from fences f
  join wanted w on 'fence:' || w.key = f.fence_key
  where f.fence <= ${fence_max}
  on conflict (key) do nothing
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
select 'o', (select w.lock_id::name from wanted w where 'fence:' || w.key = f.fence_key), null, null, null, null, null
from fences f
where f.fence > ${fence_max}
union all
select 'l', lock_id, held_id, null, null, null, free_in_ms
from wanted
where held_id is not null;
