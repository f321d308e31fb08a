-- queue/list_items: items that are not scheduled, from :first on. One row without an id if there is none. No row: the queue is not as the caller
-- knows it.
select
  i.id, i.source_id, i.is_leased, i.lease_deadline, i.expire_deadline, i.created_at, i.enqueue_at, i.attempts, i.max_attempts,
  i.reference, i.encoding, i.kind, i.payload
from ${queues} q
left join lateral (
  select *
  from ${items} i
  where i.id >= :first
    and i.enqueue_at is null
  order by i.id
  limit :limit
) as i on true
where q.name = :queue
  and q.version = :version;
