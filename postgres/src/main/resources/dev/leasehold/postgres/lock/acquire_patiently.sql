-- lock/acquire_patiently: goes before acquire, in the same transaction, for keys that were busy: waits, in ascending order and so
-- without deadlock, for the advisory locks of those that look obtainable. Who only tries might never get one of a busy SyncGuard
-- client; who waits gets it in turn.
select count(pg_advisory_xact_lock(hash))
from (
  select distinct hashtext(w.key)::bigint as hash
  from unnest(:keys::text[], :lock_ids::text[], :owners::text[], :instance_ids::text[])
    as w (key, lock_id, owner, instance_id)
  left join ${locks} l on l.key = w.key
  where l.key is null
    or l.expires_at_ms + ${tolerance} <= coalesce(:now::bigint, ${clock})
    or l.lock_id = w.lock_id
    or (l.holder_lock_id = l.lock_id and l.holder_owner = w.owner and l.holder_instance_id = w.instance_id)
  order by hash
) as obtainable;
