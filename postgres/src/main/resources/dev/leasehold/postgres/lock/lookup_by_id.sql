-- lock/lookup_by_id: the rows of :lock_ids, live or not. The holder is returned only while it is the one of the present grant.
select
  l.key,
  l.lock_id,
  l.fence,
  l.acquired_at_ms,
  l.expires_at_ms,
  case when l.holder_lock_id = l.lock_id then l.holder_owner end as owner,
  case when l.holder_lock_id = l.lock_id then l.holder_instance_id end as instance_id,
  coalesce(:now::bigint, ${clock}) as now_ms
from ${locks} l
where l.lock_id = any (:lock_ids::text[]);
