-- lock/release_with_reason: release, and for the lock ids that it has not released: e(x)pired and left alone; (b)usy, a grant whose row
-- another transaction has locked (a guard that has not ended): repeat. No row for an id without a grant.
${release}
union all
select case when l.expires_at_ms + ${tolerance} > (select now_ms from clock) then 'b'::"char" else 'x' end, l.lock_id, null, null
from ${locks} l
where l.lock_id = any (:lock_ids::text[])
  and l.lock_id <> all (array(select lock_id from released))
  and (
    :ttls_ms::bigint[] is null
    or coalesce(l.expires_at_ms = l.acquired_at_ms + (:ttls_ms::bigint[])[array_position(:lock_ids::text[], l.lock_id)], true)
  );
