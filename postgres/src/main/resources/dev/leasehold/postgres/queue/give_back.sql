-- queue/give_back: undoes the lease of those items that are still leased. No row: the queue is not as the caller knows it.
with q as materialized (
  select 1
  from ${queues}
  where name = :queue
    and version = :version
),
held as materialized (
  select i.id
  from ${items} i
  where i.id = any (:ids::bigint[])
    and i.is_leased::int = 1
    and exists (select from q)
  order by i.id
  for update
),
done as (
  update ${items} i
  set
    is_leased = false,
    lease_deadline = null,
    attempts = greatest(i.attempts - 1, 0)
  where i.id = any (array(select id from held))
)
select 1 as current
from q;
