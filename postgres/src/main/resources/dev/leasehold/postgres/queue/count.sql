-- queue/count: exact counts of one partition, for people: it reads the whole table, but no payload that is stored out of line.
-- No row: the queue is not as the caller knows it.
select
  count(i.id) filter (where i.enqueue_at is null) as total,
  count(i.id) filter (where i.is_leased) as leased,
  count(i.id) filter (where i.enqueue_at is not null) as scheduled,
  coalesce((extract(epoch from avg(q.now - i.created_at) filter (where i.enqueue_at is null)) * 1000000)::bigint, 0) as age_us,
  coalesce((extract(epoch from avg(i.lease_deadline - q.now) filter (where i.is_leased)) * 1000000)::bigint, 0) as leased_age_us,
  (extract(epoch from max(q.now - i.created_at) filter (where i.enqueue_at is null and not i.is_leased)) * 1000000)::bigint as oldest_us
from (
  select ${now} as now
  from ${queues}
  where name = :queue
    and version = :version
    and uid = :uid
) as q
left join ${items} i on true
group by q.now;
