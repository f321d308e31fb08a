-- lock/guard: in the caller's transaction, the grant if it is still the caller's; nobody can take it until that transaction ends.
--
-- FOR KEY SHARE holds off takeover and release (which change or delete the unique lock_id) and lets extension through. If the
-- grant changed hands after a REPEATABLE READ or SERIALIZABLE snapshot, this fails with 40001.
select l.expires_at_ms + ${tolerance} > coalesce(:now::bigint, ${clock}) as live
from ${locks} l
where l.key = :key
  and l.lock_id = :lock_id
for key share;
