-- lock/patiently_by_id: the same as patiently, before extend, which knows no keys.
select count(pg_advisory_xact_lock(hash))
from (
  select distinct hashtext(l.key)::bigint as hash
  from ${locks} l
  where l.lock_id = any (:busy_ids::text[])
  order by hash
) as busy;
