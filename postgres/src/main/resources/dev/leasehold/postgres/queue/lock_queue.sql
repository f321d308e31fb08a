-- queue/lock_queue: keeps a queue from being deleted until the transaction ends. No row: it is not as the caller knows it.
select name
from ${queues}
where name = :queue
  and version = :version
  and uid = :uid
  and ${in_timeline}
for share;
