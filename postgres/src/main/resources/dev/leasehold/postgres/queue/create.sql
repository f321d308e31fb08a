-- queue/create: writes a queue down. No row: there is one of that name, or one whose tables would have the same names.
insert into ${queues} (
  name, namespace, lease_timeout_ns, expire_timeout_ns, dead_queue, max_attempts, reference, requested_partitions,
  created_at, updated_at, uid, version, partition_stores, hash
)
select
  :name, :namespace, :lease_timeout_ns, :expire_timeout_ns, :dead_queue, :max_attempts, :reference, :partitions,
  t.now, t.now,
  ((extract(epoch from t.now)::bigint - 1400000000) << 32) | floor(random() * 4294967296)::bigint,
  nextval(${version_sequence}),
  :stores::text[],
  :hash
from (select ${now} as now) as t
on conflict do nothing
returning name, namespace, lease_timeout_ns, expire_timeout_ns, dead_queue, max_attempts, reference, requested_partitions,
  created_at, updated_at, uid, version, partition_stores;
