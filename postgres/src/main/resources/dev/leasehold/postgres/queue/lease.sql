-- queue/lease: leases up to :limit ready items from the head. One row per item; one with no id if there is none, which says when to
-- look again. No row at all: the queue is not as the caller knows it.
--
-- It begins at the item :first: there is nothing to lease before it, or nearly so, but rows that are gone may lie there in great number.
-- The time of an item is asked for in a form that no index matches, or the planner may read all of those to sort the few that are left.
-- Ready items that others have locked are skipped. Who locks one may not want it after all: a sweep or a lease that came late has a
-- row locked for a moment to find that it has changed. So a lease that falls short says whether it skipped something.
with q as materialized (
  select ${now} as now
  from ${queues}
  where name = :queue
    and version = :version
),
taken as (
  update ${items} i
  set
    is_leased = true,
    lease_deadline = (select now from q) + :lease_us * interval '1 microsecond',
    attempts = i.attempts + 1
  where i.ctid = any (array(
    select r.ctid
    from ${items} r
    where not r.is_leased
      and r.enqueue_at is null
      and r.id >= :first
      and (r.expire_deadline >= (select now from q))::int = 1
    order by r.id
    limit :limit
    for update skip locked
  ))
  returning i.id, i.attempts, i.lease_deadline, i.reference, i.encoding, i.kind, i.payload
)
select
  t.*,
  case when t.id is null then (extract(epoch from least(
    (select lease_deadline from ${items} where is_leased order by lease_deadline limit 1),
    (select enqueue_at from ${items} where enqueue_at is not null order by enqueue_at limit 1)
  ) - q.now) * 1000000)::bigint end as next_us,
  case when (select count(*) from taken) < :limit then (
    select count(*)
    from (
      select
      from ${items} r
      where not r.is_leased
        and r.enqueue_at is null
        and r.id >= :first
        and (r.expire_deadline >= (select now from q))::int = 1
      order by r.id
      limit :limit
    ) as ready
  ) > (select count(*) from taken) else false end as has_skipped
from q
left join taken t on true;
