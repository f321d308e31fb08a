-- queue/update: replaces one version of a queue by the next. No row: it is not the current one any more, or not in the timeline of
-- the server, or the dead queue that it names does not fit. Changes of records wait for each other, as in create, and
-- before that for the row: a change that waits for a transaction that uses its queue holds up no change of another queue.
begin isolation level read committed;

set local lock_timeout = ${lock_timeout};

select name
from ${queues}
where name = :name
  and not deleted
for no key update;

select pg_advisory_xact_lock(hashtext(${records_lock}));

with changed as (
  update ${queues}
  set
    lease_timeout_ns = :lease_timeout_ns,
    expire_timeout_ns = :expire_timeout_ns,
    dead_queue = :dead_queue,
    max_attempts = :max_attempts,
    reference = :reference,
    requested_partitions = :partitions,
    updated_at = ${now},
    version = greatest(nextval(${version_sequence}), version + 1),
    partition_stores = :stores::text[]
  where name = :name
    and version = :version
    and not deleted
    and ${in_timeline}
    and (
      --include queue/dead_queue_fits
    )
  returning name, namespace, lease_timeout_ns, expire_timeout_ns, dead_queue, max_attempts, reference, requested_partitions,
    created_at, updated_at, uid, version, partition_stores
)
select *
from changed;

commit;
