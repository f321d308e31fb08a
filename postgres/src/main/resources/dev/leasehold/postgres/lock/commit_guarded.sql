-- lock/commit_guarded: the last message of the caller's transaction: commits it if the grant is still the caller's.
--
-- It does what guard does, and commits in the same message. If the grant is not live, this divides by zero: then the server skips the
-- commit, and the transaction can only roll back.
with held as materialized (
  select l.expires_at_ms + ${tolerance} > coalesce(:now::bigint, ${clock}) as live
  from ${locks} l
  where l.key = :key
    and l.lock_id = :lock_id
  for key share
)
select 1 / count(*) filter (where live) as grants
from held;

commit;
