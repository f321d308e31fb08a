-- queue/delete: deletes items, leased or not. No row: the queue is not as the caller knows it.
with q as materialized (
  select 1
  from ${queues}
  where name = :queue
    and version = :version
),
done as (
  delete from ${items} i
  where i.id = any (:ids::bigint[])
    and exists (select from q)
)
select 1 as current
from q;
