-- queue/lock_deleted_queue: keeps the name of a deleted queue from being used again until the transaction ends. No row: it has gone, and
-- tables of these names belong to another queue.
select name
from ${queues}
where name = :name
  and uid = :uid
  and deleted
for share;
