-- queue/delete: deletes items, leased or not, that have these ids. No row: the queue is not as the caller knows it.
with q as materialized (
  select 1
  from ${queues}
  where name = :queue
    and version = :version
    and uid = :uid
),
done as (
  delete from ${items} i
  where i.id = any (:ids::bigint[])
    and i.given_back = (:backs::bigint[])[width_bucket(i.id, :ids::bigint[])]
    and exists (select from q)
)
select 1 as current
from q;
