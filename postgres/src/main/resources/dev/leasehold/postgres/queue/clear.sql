-- queue/clear: deletes what is ready, leased or scheduled, as asked. No row: the queue is not as the caller knows it.
with q as materialized (
  select 1
  from ${queues}
  where name = :queue
    and version = :version
    and uid = :uid
),
done as (
  delete from ${items} i
  where exists (select from q)
    and (
      (:scheduled = 1 and i.enqueue_at is not null)
      or (:queue_too = 1 and i.enqueue_at is null and (not i.is_leased or :destructive = 1))
    )
)
select 1 as current
from q;
