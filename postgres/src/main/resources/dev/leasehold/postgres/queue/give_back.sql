-- queue/give_back: undoes the lease of those items that are still leased under these ids. No row: the queue is not as the caller
-- knows it.
--
-- Each stays in its place, but under a new id: whoever repeats the call, because its answer was lost, finds nothing to give back, and
-- least of all the lease of somebody else. The numbers are in ascending order, as in complete.
with q as materialized (
  select 1
  from ${queues}
  where name = :queue
    and version = :version
    and uid = :uid
),
--include queue/held_items condition=exists (select from q)
done as (
  update ${items} i
  set
    is_leased = false,
    lease_deadline = null,
    attempts = greatest(i.attempts - 1, 0),
    given_back = (i.given_back + 1) % ${given_back_wrap}
  where i.id = any (array(select id from held))
)
select 1 as current
from q;
