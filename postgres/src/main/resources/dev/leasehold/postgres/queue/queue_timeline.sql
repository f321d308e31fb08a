-- queue/queue_timeline: the timeline in which the sequences of a queue were last moved on, and that of the server. No row: the queue has
-- gone.
select
  timeline,
  case when :tells_timeline = 1 then ${server_timeline} else -1 end as server_timeline,
  partition_stores
from ${queues}
where name = :name
  and uid = :uid
  and not deleted;
