-- queue/list: a page of the queues of a namespace, or of all if :namespace is null, from :pivot on and without :excluded: up to :limit, and
-- of those beyond the second none behind the one with which they weigh ${page_bytes} bytes, as QueueRecord.weight says.
select name, namespace, lease_timeout_ns, expire_timeout_ns, dead_queue, max_attempts, reference, requested_partitions,
  created_at, updated_at, uid, version, partition_stores
from (
  select w.*, sum(w.weight) over by_name - w.weight as weight_before, row_number() over by_name as place
  from (
    select
      name, namespace, lease_timeout_ns, expire_timeout_ns, dead_queue, max_attempts, reference, requested_partitions,
      created_at, updated_at, uid, version, partition_stores[1:${most_stores}] as partition_stores,
      200 + octet_length(name) + octet_length(dead_queue) + octet_length(reference)
        + 16 * least(cardinality(partition_stores), ${most_stores}) as weight
    from ${queues}
    where name >= :pivot
      and name <> :excluded
      and (:namespace::text is null or namespace = :namespace)
      and not deleted
    order by name
    limit :limit
  ) as w
  window by_name as (order by w.name rows unbounded preceding)
) as w
where weight_before < ${page_bytes}
  or place <= 2
order by name;
