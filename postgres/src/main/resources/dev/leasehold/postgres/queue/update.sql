-- queue/update: replaces one version of a queue by the next. No row: it is not the current one any more.
update ${queues}
set
  lease_timeout_ns = :lease_timeout_ns,
  expire_timeout_ns = :expire_timeout_ns,
  dead_queue = :dead_queue,
  max_attempts = :max_attempts,
  reference = :reference,
  requested_partitions = :partitions,
  updated_at = ${now},
  version = nextval(${version_sequence}),
  partition_stores = :stores::text[]
where name = :name
  and version = :version
  and not deleted
returning name, namespace, lease_timeout_ns, expire_timeout_ns, dead_queue, max_attempts, reference, requested_partitions,
  created_at, updated_at, uid, version, partition_stores;
