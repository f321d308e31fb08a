-- lock/list: a page of the live locks from :pivot on, in byte order of their keys. The keys with a prefix lie between :prefix and
-- :last. The holder is returned only while it is the one of the present grant.
with clock as materialized (
  select coalesce(:now::bigint, ${clock}) as now_ms
)
select
  l.key,
  l.fence,
  l.acquired_at_ms,
  l.expires_at_ms,
  case when l.holder_lock_id = l.lock_id then l.holder_owner end as owner,
  case when l.holder_lock_id = l.lock_id then l.holder_instance_id end as instance_id
from ${locks} l
where l.key collate "C" >= :prefix::text
  and l.key collate "C" >= :pivot::text
  and l.key collate "C" <= :last::text
  and l.expires_at_ms + ${tolerance} > (select now_ms from clock)
order by l.key collate "C"
limit :limit::bigint;
