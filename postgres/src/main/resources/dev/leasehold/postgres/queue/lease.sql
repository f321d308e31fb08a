-- queue/lease: leases ready items in order: up to :limit, and none behind the one with which they weigh :bytes. One row per item; one row
-- without an id if none is ready, which says when to look again. No row at all: the version or uid of the queue has changed.
--
-- The scan begins at the item :first. Hardly any ready item lies before it, but dead index entries may, in great number.
-- The comparison of expire_deadline has a form that no index matches: otherwise the planner may read all dead entries of that index to
-- sort the few live ones.
-- Rows that other transactions have locked are skipped. A sweep or a lease that came late locks a row for a moment only to find that it
-- has changed, so a lease that returns fewer items than it might says whether it skipped any.
-- The window sums the weights in the order in which the rows are locked, which is that of the index. With an order of its own it would
-- sort them.
with q as materialized (
  select ${now} as now
  from ${queues}
  where name = :queue
    and version = :version
    and uid = :uid
),
chosen as materialized (
  select c.place, c.weight_before
  from (
    select r.place, sum(r.weight) over (rows unbounded preceding) - r.weight as weight_before
    from (
      select r.ctid as place, ${weight} as weight
      from ${items} r
      where not r.is_leased
        and r.enqueue_at is null
        and r.id >= :first
        and (r.expire_deadline >= (select now from q))::int = 1
      order by r.id
      limit :limit
      for update skip locked
    ) as r
  ) as c
),
taken as (
  update ${items} i
  set
    is_leased = true,
    lease_deadline = (select now from q) + :lease_us * interval '1 microsecond',
    attempts = i.attempts + 1
  where i.ctid = any (array(select place from chosen where weight_before < :bytes))
  returning i.id, i.given_back, i.attempts, i.lease_deadline, i.reference, i.encoding, i.kind, i.payload
)
select
  t.*,
  case when t.id is null then (extract(epoch from least(
    (select lease_deadline from ${items} where is_leased order by lease_deadline limit 1),
    (select enqueue_at from ${items} where enqueue_at is not null order by enqueue_at limit 1)
  ) - q.now) * 1000000)::bigint end as next_us,
  exists (select from chosen where weight_before >= :bytes) as is_cut,
  case when (select count(*) from chosen) < :limit then (
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
  ) > (select count(*) from chosen) else false end as has_skipped
from q
left join taken t on true;
