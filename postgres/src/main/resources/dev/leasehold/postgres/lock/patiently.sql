-- lock/patiently: goes before acquire or renew_held, in the same transaction, for keys that were busy: waits for their advisory locks, in
-- ascending order and so without deadlock. Who only tries might never get one of a busy SyncGuard client; who waits gets it in turn.
select count(pg_advisory_xact_lock(hash))
from (
  select distinct hashtext(key)::bigint as hash
  from unnest(:busy_keys::text[]) as key
  order by hash
) as busy;
