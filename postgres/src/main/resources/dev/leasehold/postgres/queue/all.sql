-- queue/all: a page of all queues, after :after.
select name, namespace, lease_timeout_ns, expire_timeout_ns, dead_queue, max_attempts, reference, requested_partitions,
  created_at, updated_at, uid, version, partition_stores
from ${queues}
where name > :after
  and not deleted
order by name
limit :limit;
