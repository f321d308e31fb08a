-- lock/release_in: in the caller's transaction, ends the grant if it is live; waiters are woken when that transaction commits.
--
-- Here the notification is part of the commit, although that then waits for others that notify: the commit is the caller's, and its time is
-- unknown.
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
