-- queue/complete: deletes leased items. A call of which one id is wrong deletes nothing; the wrong ids come back, with whether they
-- are ready instead of leased. No row at all: the queue is not as the caller knows it.
--
-- The numbers of all calls together, in ascending order and each once, each with how often its item was given back, and with the
-- number of its call. An item that was given back since has another id: what names it by the old one is wrong. Items are found by id alone: is_leased::int
-- is a form that no partial index matches, or the planner may read everything that is leased to find a few of them.
with q as materialized (
  select ${now} as now
  from ${queues}
  where name = :queue
    and version = :version
    and uid = :uid
),
held as materialized (
  select i.id, i.attempts
  from ${items} i
  where i.id = any (:ids::bigint[])
    and i.is_leased::int = 1
    and i.given_back = (:backs::bigint[])[width_bucket(i.id, :ids::bigint[])]
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
        and i.given_back = a.given_back
    ), false) as is_ready
  from unnest(:ids::bigint[], :backs::bigint[]) as a (id, given_back)
  where a.id not in (select id from held)
)
select w.id, w.is_ready
from q
left join wrong w on true;
