-- queue/copy: brings the record of a queue in a store that holds some of its partitions up to date.
insert into ${queues} as q (
  name, namespace, lease_timeout_ns, expire_timeout_ns, dead_queue, max_attempts, reference, requested_partitions,
  created_at, updated_at, uid, version, partition_stores, hash, timeline
)
values (
  :name, :namespace, :lease_timeout_ns, :expire_timeout_ns, :dead_queue, :max_attempts, :reference, :partitions,
  timestamptz 'epoch' + :created_us * interval '1 microsecond',
  timestamptz 'epoch' + :updated_us * interval '1 microsecond',
  :uid, :version, :stores::text[], :hash,
  case when :tells_timeline = 1 then ${server_timeline} else -1 end
)
on conflict (name) do update
set
  namespace = excluded.namespace,
  lease_timeout_ns = excluded.lease_timeout_ns,
  expire_timeout_ns = excluded.expire_timeout_ns,
  dead_queue = excluded.dead_queue,
  max_attempts = excluded.max_attempts,
  reference = excluded.reference,
  requested_partitions = excluded.requested_partitions,
  created_at = excluded.created_at,
  updated_at = excluded.updated_at,
  uid = excluded.uid,
  version = excluded.version,
  partition_stores = excluded.partition_stores
where q.version < excluded.version
  and not q.deleted;
