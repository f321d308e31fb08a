-- lock/extend_patiently: goes before extend, in the same transaction, for groups with a call that was busy: waits for the advisory
-- locks of the keys, in ascending order and so without deadlock.
select count(pg_advisory_xact_lock(hash))
from (
  select distinct hashtext(l.key)::bigint as hash
  from ${locks} l
  where l.lock_id = any (:busy_ids::text[])
  order by hash
) as held;
