-- lock/acquire: grants each of :keys that is free, dead, or held by the same holder.
--
-- It decides only about keys whose advisory lock it gets, SyncGuard's: without it a SyncGuard client that is just acquiring would
-- overwrite the row. The lock is tried, not waited for, so that the snapshot is as good as the lock: a row that was written in
-- between is met by the upsert, whose condition is the one that decides. Rows are locked in key order, and those that are locked
-- by others are passed over: a dead row that a guard or a release still locks is not obtainable.
-- What comes out, by the lock id that was asked for: (g)ranted; (b)usy, because another client has the advisory lock: ask again,
-- with acquire_patiently; (o)verflow of the fence; and for every row that was in the way (l)ocked, with the time until it is dead
-- and whose it is, so that others who asked for the same key at the same time can be told apart from its holder.
-- A loser writes nothing. The columns are of fixed length, because otherwise pgjdbc sends the statements of a message one by one.
with clock as materialized (
  select coalesce(:now::bigint, ${clock}) as now_ms
),
wanted as materialized (
  select
    w.*,
    l.lock_id as held_id,
    l.expires_at_ms as held_until_ms,
    case when l.holder_lock_id = l.lock_id
      then md5(octet_length(l.holder_owner) || ':' || l.holder_owner || l.holder_instance_id)
    end as held_by,
    case
      when l.key is null then 'free'
      when l.expires_at_ms + ${tolerance} <= c.now_ms then 'dead'
      when l.lock_id = w.lock_id then 'same'
      when l.holder_lock_id = l.lock_id and l.holder_owner = w.owner and l.holder_instance_id = w.instance_id then 'same'
      else 'held'
    end as state
  from clock c
  cross join unnest(:keys::text[], :lock_ids::text[], :ttls_ms::bigint[], :owners::text[], :instance_ids::text[])
    as w (key, lock_id, ttl_ms, owner, instance_id)
  left join ${locks} l on l.key = w.key
),
ours as materialized (
  select key, held_id, state
  from wanted
  where state <> 'held'
    and pg_try_advisory_xact_lock(hashtext(key)::bigint)
),
dead as materialized (
  select l.key
  from ${locks} l
  where l.key = any (array(select key from ours where state = 'dead'))
    and l.expires_at_ms + ${tolerance} <= (select now_ms from clock)
  order by l.key
  for update skip locked
),
same as materialized (
  select l.lock_id
  from ${locks} l
  where l.lock_id = any (array(select held_id from ours where state = 'same'))
  order by l.key
  for no key update skip locked
),
obtainable as materialized (
  select key from ours where state = 'free'
  union all
  select key from dead
),
fences as (
  insert into ${fences} as f (fence_key, fence, key_debug)
  select 'fence:' || o.key, 1, o.key
  from obtainable o
  order by o.key
  on conflict (fence_key) do update set fence = f.fence + 1
  where f.fence < ${fence_max}
  returning f.fence_key, f.fence
),
granted as (
  insert into ${locks} as l (
    key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key,
    holder_lock_id, holder_owner, holder_instance_id, holder_lease_ms
  )
  select
    w.key, w.lock_id, c.now_ms + w.ttl_ms, c.now_ms, lpad(f.fence::text, 15, '0'), w.key,
    case when w.owner is not null then w.lock_id end, w.owner, w.instance_id, w.ttl_ms
  from fences f
  join wanted w on 'fence:' || w.key = f.fence_key
  cross join clock c
  order by w.key
  on conflict (key) do update set
    lock_id = excluded.lock_id,
    expires_at_ms = excluded.expires_at_ms,
    acquired_at_ms = excluded.acquired_at_ms,
    fence = excluded.fence,
    user_key = excluded.user_key,
    holder_lock_id = excluded.holder_lock_id,
    holder_owner = excluded.holder_owner,
    holder_instance_id = excluded.holder_instance_id,
    holder_lease_ms = excluded.holder_lease_ms
  where l.expires_at_ms + ${tolerance} <= (select now_ms from clock)
  returning l.key, l.lock_id, l.fence, l.acquired_at_ms, l.expires_at_ms
),
again as ( -- its expiry changes in any case: release tells by it whether a grant was acquired again
  update ${locks} l
  set (expires_at_ms, holder_lease_ms) = (
    select c.now_ms + w.ttl_ms + (c.now_ms + w.ttl_ms = l.expires_at_ms)::int, w.ttl_ms
    from wanted w, clock c
    where w.key = l.key
  )
  where l.lock_id = any (array(select lock_id from same))
  returning l.key, l.lock_id, l.fence, l.acquired_at_ms, l.expires_at_ms
)
select
  'g'::"char" as outcome,
  lock_id::name as wanted_id,
  lock_id::name as lock_id,
  fence::bigint as fence,
  acquired_at_ms,
  expires_at_ms,
  null::bigint as free_in_ms,
  null::name as held_by
from granted
union all
select 'g', (select w.lock_id::name from wanted w where w.key = a.key), lock_id, fence::bigint, acquired_at_ms, expires_at_ms, null, null
from again a
union all
select 'o', (select w.lock_id::name from wanted w where w.key = o.key), null, null, null, null, null, null
from obtainable o
where (select count(*) from fences) < (select count(*) from obtainable)
  and not exists (select from fences f where f.fence_key = 'fence:' || o.key)
union all
select 'b', w.lock_id, null, null, null, null, null, null
from wanted w
where w.state <> 'held'
  and w.key <> all (array(select key from ours))
union all
select 'l', w.lock_id, w.held_id, null, null, null, w.held_until_ms + ${tolerance} - c.now_ms, w.held_by
from wanted w, clock c
where w.state <> 'free';
