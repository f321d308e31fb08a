-- queue/list: a page of the queues of a namespace, from :pivot on.
select name, namespace, lease_timeout_ns, expire_timeout_ns, dead_queue, max_attempts, reference, requested_partitions,
  created_at, updated_at, uid, version, partition_stores
from ${queues}
where name >= :pivot
  and namespace = :namespace
  and not deleted
order by name
limit :limit;
