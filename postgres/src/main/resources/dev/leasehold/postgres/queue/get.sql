-- queue/get: the record of a queue. A row that was not written by this build may name more partitions than an id can tell apart.
select name, namespace, lease_timeout_ns, expire_timeout_ns, dead_queue, max_attempts, reference, requested_partitions,
  created_at, updated_at, uid, version, partition_stores[1:${most_stores}] as partition_stores
from ${queues}
where name = :name
  and not deleted;
