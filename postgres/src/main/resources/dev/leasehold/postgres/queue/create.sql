-- queue/create: writes a queue down. No row: there is one of that name, or one whose tables would have the same names, or the dead
-- queue that it names does not fit.
--
-- Changes of records wait for each other, so that a dead queue is not deleted between the check and the insert. The last statement
-- has a snapshot from after the wait. It waits for no row but one of the same name.
begin isolation level read committed;

set local lock_timeout = ${lock_timeout};

select pg_advisory_xact_lock(hashtext(${records_lock}));

with made as (
  insert into ${queues} (
    name, namespace, lease_timeout_ns, expire_timeout_ns, dead_queue, max_attempts, reference, requested_partitions,
    created_at, updated_at, uid, version, partition_stores, hash, timeline
  )
  select
    :name, :namespace, :lease_timeout_ns, :expire_timeout_ns, :dead_queue, :max_attempts, :reference, :partitions,
    t.now, t.now,
    ((extract(epoch from t.now)::bigint - 1400000000) << 32) | floor(random() * 4294967296)::bigint,
    nextval(${version_sequence}),
    :stores::text[],
    :hash,
    case when :tells_timeline = 1 then ${server_timeline} else -1 end
  from (select ${now} as now) as t
  where
    --include queue/dead_queue_fits
  on conflict do nothing
  returning name, namespace, lease_timeout_ns, expire_timeout_ns, dead_queue, max_attempts, reference, requested_partitions,
    created_at, updated_at, uid, version, partition_stores
)
select *
from made;

commit;
