-- queue/partition_outlook: how one partition stands: ready items, counted up to a bound, and the time until the next deadline. No row:
-- the queue is not as the caller knows it.
select
  (
    select count(*)
    from (select from ${items} where not is_leased and enqueue_at is null limit 1000) as r
  ) as ready,
  (extract(epoch from least(
    (select lease_deadline from ${items} where is_leased order by lease_deadline limit 1),
    (select enqueue_at from ${items} where enqueue_at is not null order by enqueue_at limit 1),
    (select expire_deadline from ${items} where not is_leased and enqueue_at is null order by expire_deadline limit 1)
  ) - ${now}) * 1000000)::bigint as next_us
from ${queues}
where name = :queue
  and version = :version
  and uid = :uid;
