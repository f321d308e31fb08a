-- queue/start_item_sequence: where the numbers of a partition begin whose table was just made. A table of the same name may have been lost
-- with a failover, and its numbers are not drawn again.
select setval(${sequence_name}, ((q.timeline - 1)::bigint << 32) + 1, false)
from ${queues} q
cross join ${sequence} s
where q.name = :queue
  and q.timeline > 1
  and s.last_value = 1
  and not s.is_called;
