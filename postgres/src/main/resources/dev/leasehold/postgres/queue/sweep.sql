-- queue/sweep: carries out what is due, up to :limit items of each sort, and says what comes next. What others have locked is left
-- to them. No row: the queue is not as the caller knows it.
--
-- Scheduled items whose time has come, and items whose lease has ended, go to the tail under new ids, in the order of their times.
-- Those that have had their attempts or their time, and ready ones whose time is over, go to the dead queue. Payloads are read only
-- to be moved there. If the dead queue is not there, they are left where they are (:leaves_dead), and passed over before the limit,
-- so that they do not hold up the others.
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
ended as materialized (
  select i.id, i.lease_deadline as at, i.expire_deadline < (select now from q)
    or (:max_attempts > 0 and i.attempts >= :max_attempts) as is_dead, i.expire_deadline < (select now from q) as is_expired
  from ${items} i
  where i.is_leased
    and i.lease_deadline < (select now from q where is_dead_current)
    and not (
      :leaves_dead = 1
      and (i.expire_deadline < (select now from q) or (:max_attempts > 0 and i.attempts >= :max_attempts))
    )
  order by i.lease_deadline
  limit :limit
  for update skip locked
),
due as materialized (
  select i.id, i.enqueue_at as at, i.expire_deadline < (select now from q) as is_dead, true as is_expired
  from ${items} i
  where i.enqueue_at is not null
    and i.enqueue_at <= (select now from q where is_dead_current)
    and not (:leaves_dead = 1 and i.expire_deadline < (select now from q))
  order by i.enqueue_at, i.id
  limit :limit
  for update skip locked
),
expired as materialized (
  select i.id, i.expire_deadline as at, true as is_dead, true as is_expired
  from ${items} i
  where not i.is_leased
    and i.enqueue_at is null
    and i.expire_deadline < (select now from q where is_dead_current)
    and :leaves_dead = 0
  order by i.expire_deadline
  limit :limit
  for update skip locked
),
found as materialized (
  select * from ended
  union all
  select * from due
  union all
  select * from expired
),
fresh as materialized (
  select f.id, nextval(${sequence_name}) as new_id
  from (select id from found where not is_dead order by at, id) as f
),
sorted as materialized (
  select array_agg(id order by id) as ids, array_agg(new_id order by id) as new_ids
  from fresh
),
again as (
  update ${items} i
  set
    id = (select new_ids[width_bucket(i.id, ids)] from sorted),
    is_leased = false,
    lease_deadline = null,
    enqueue_at = null
  where i.id = any ((select ids from sorted)::bigint[])
  returning 1
),
gone as (
  delete from ${items} i
  where i.id = any (array(select id from found where is_dead))
  returning i.id, i.given_back, i.reference, i.encoding, i.kind, i.payload
),
letters as (
  --include ${dead_letters}
)
select
  q.is_dead_current,
  (select count(*) from again) as ready,
  (select count(*) from letters) as dead,
  (select count(*) from gone) as gone,
  (select count(*) from gone where id in (select id from found where is_expired)) as expired,
  (extract(epoch from least(
    (select lease_deadline from ${items} where is_leased order by lease_deadline limit 1),
    (select enqueue_at from ${items} where enqueue_at is not null order by enqueue_at limit 1),
    (select expire_deadline from ${items} where not is_leased and enqueue_at is null order by expire_deadline limit 1)
  ) - q.now) * 1000000)::bigint as next_us
from q;
