-- queue/retry: gives leased items another turn. A call of which one id is wrong changes nothing; the wrong ids come back as in
-- complete. No row at all: the queue is not as the caller knows it.
--
-- An item that is meant to be dead, or has had its attempts, goes to the dead queue. One that is meant for later is scheduled under
-- its id; the others go to the tail under new ids. If the dead queue is not there (:leaves_dead), what would go there stays leased.
with q as materialized (
  select ${now} as now, :dead_queue::text is null or exists (
    select
    from ${queues} d
    where d.name = :dead_queue
      and d.version = :dead_version
      and d.uid = :dead_uid
      and ${in_timeline}
  ) as is_dead_current
  from ${queues}
  where name = :queue
    and version = :version
    and uid = :uid
    and ${in_timeline}
),
--include queue/held_items condition=exists (select from q where is_dead_current)
--include queue/whole_calls
fate as materialized (
  select
    h.id,
    (:deads::bigint[])[w.place] = 1 or (:max_attempts > 0 and h.attempts >= :max_attempts) as is_dead,
    (:deads::bigint[])[w.place] = 1 as is_rejected,
    case when t.due >= q.now + interval '${near_now}' then t.due end as later
  from held h
  cross join q
  cross join lateral (select width_bucket(h.id, :ids::bigint[]) as place) as w
  cross join lateral (
    select coalesce(
      timestamptz 'epoch' + (:ats_us::bigint[])[w.place] * interval '1 microsecond',
      q.now + (:delays_us::bigint[])[w.place] * interval '1 microsecond'
    ) as due
  ) as t
  where h.id in (select id from good)
),
sorted as materialized (
  select array_agg(f.id order by f.id) as ids, array_agg(f.later order by f.id) as laters
  from fate f
  where not f.is_dead
    and f.later is not null
),
scheduled as (
  update ${items} i
  set
    is_leased = false,
    lease_deadline = null,
    enqueue_at = (select laters[width_bucket(i.id, ids)] from sorted)
  where i.id = any ((select ids from sorted)::bigint[])
),
again as (
  update ${items} i
  set
    id = nextval(${sequence_name}),
    is_leased = false,
    lease_deadline = null
  where i.id = any (array(select id from fate where not is_dead and later is null))
  returning 1
),
gone as (
  delete from ${items} i
  where i.id = any (array(select id from fate where is_dead and :leaves_dead = 0))
  returning i.id, i.given_back, i.reference, i.encoding, i.kind, i.payload
),
letters as (
  --include ${dead_letters}
),
--include queue/wrong_ids
select
  w.id,
  w.is_ready,
  q.is_dead_current,
  (select count(*) from again) as ready,
  (select count(*) from letters) as dead,
  (select count(*) from gone) as gone,
  (select count(*) from fate where is_rejected and :leaves_dead = 0) as rejected,
  (extract(epoch from (select min(later) from fate where not is_dead) - q.now) * 1000000)::bigint as next_us
from q
left join wrong w on true;
