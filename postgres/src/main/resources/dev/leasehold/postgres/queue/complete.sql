-- queue/complete: deletes leased items. A call of which one id is wrong deletes nothing; the wrong ids come back, with whether they
-- are ready instead of leased. No row at all: the queue is not as the caller knows it.
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
  delete from ${items} i
  where i.id = any (array(select id from good))
),
--include queue/wrong_ids
select w.id, w.is_ready
from q
left join wrong w on true;
