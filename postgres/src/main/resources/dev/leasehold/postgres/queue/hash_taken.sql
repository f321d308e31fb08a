-- queue/hash_taken: the other queue whose tables have the names that those of :name would have.
select name
from ${queues}
where hash = :hash
  and name <> :name;
