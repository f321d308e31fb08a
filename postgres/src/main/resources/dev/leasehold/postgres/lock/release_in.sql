-- lock/release_in: in the caller's transaction, ends the grant if it is live; waiters are woken when that transaction commits.
--
-- Here the notification goes with the commit, although that then waits for others that notify: it is the caller's, and nobody else
-- knows when it comes.
with released as (
  delete from ${locks} l
  where l.key = :key
    and l.lock_id = :lock_id
    and l.expires_at_ms + ${tolerance} > coalesce(:now::bigint, ${clock})
  returning l.key
)
select
  r.key,
  case
    when exists (select from ${waiters} w where w.key = r.key) then pg_notify(:channel, md5(r.key))::text
  end as woken
from released r;
