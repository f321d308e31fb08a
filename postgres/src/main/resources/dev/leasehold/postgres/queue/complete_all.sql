-- queue/complete_all: deletes leased items, all that are named or none. No row at all: the queue is not as the caller knows it.
--
-- This is how almost every completion goes, and it locks nothing beforehand. If one of the items is not leased, or has changed at
-- this moment, it divides by zero and so deletes nothing; then complete.sql finds out which calls are wrong.
with q as materialized (
  select ${now} as now
  from ${queues}
  where name = :queue
    and version = :version
    and uid = :uid
),
done as (
  delete from ${items} i
  where i.id = any (:ids::bigint[])
    and i.is_leased::int = 1
    and i.given_back = (:backs::bigint[])[width_bucket(i.id, :ids::bigint[])]
    and exists (select from q)
  returning 1
)
select
  null::bigint as id,
  1 / ((select count(*) from done) = cardinality(:ids::bigint[]))::int = 0 as is_ready
from q;
