-- queue/get: the record of a queue.
select name, namespace, lease_timeout_ns, expire_timeout_ns, dead_queue, max_attempts, reference, requested_partitions,
  created_at, updated_at, uid, version, partition_stores
from ${queues}
where name = :name
  and not deleted;
