-- queue/extend: sets the deadline of leased items to now plus the timeout of their call. A call of which one id is wrong extends
-- nothing; the wrong ids come back as in complete. No row at all: the queue is not as the caller knows it.
with q as materialized (
  select ${now} as now
  from ${queues}
  where name = :queue
    and version = :version
    and uid = :uid
),
--include queue/held_items condition=exists (select from q)
--include queue/whole_calls
done as (
  update ${items} i
  set lease_deadline = (select now from q)
    + (:timeouts_us::bigint[])[width_bucket(i.id, :ids::bigint[])] * interval '1 microsecond'
  where i.id = any (array(select id from good))
),
--include queue/wrong_ids
select w.id, w.is_ready, (extract(epoch from q.now - timestamptz 'epoch') * 1000000)::bigint as now_us
from q
left join wrong w on true;
