-- queue/complete: deletes leased items. A call of which one id is wrong deletes nothing; the wrong ids come back, with whether they
-- are ready instead of leased. No row at all: the queue is not as the caller knows it.
--
-- The ids of all calls together, in ascending order, each with the number of its call. Items are found by id alone: is_leased::int
-- is a form that no partial index matches, or the planner may read everything that is leased to find a few of them.
with q as materialized (
  select ${now} as now
  from ${queues}
  where name = :queue
    and version = :version
),
held as materialized (
  select i.id, i.attempts
  from ${items} i
  where i.id = any (:ids::bigint[])
    and i.is_leased::int = 1
    and exists (select from q)
  order by i.id
  for update
),
bad as materialized (
  select distinct a.call
  from unnest(:ids::bigint[], :calls::bigint[]) as a (id, call)
  where a.id not in (select id from held)
),
good as materialized (
  select a.id, a.place
  from unnest(:ids::bigint[], :calls::bigint[]) with ordinality as a (id, call, place)
  where a.call not in (select call from bad)
),
done as (
  delete from ${items} i
  where i.id = any (array(select id from good))
),
wrong as (
  select
    a.id,
    coalesce((
      select not i.is_leased and i.enqueue_at is null
      from ${items} i
      where i.id = a.id
    ), false) as is_ready
  from unnest(:ids::bigint[]) as a (id)
  where a.id not in (select id from held)
)
select w.id, w.is_ready
from q
left join wrong w on true;
