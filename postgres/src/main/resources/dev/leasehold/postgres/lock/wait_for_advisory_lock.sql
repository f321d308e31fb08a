-- lock/wait_for_advisory_lock: goes before acquire, extend, renew_held or finished_acquires, in the same transaction, for a call that has tried in vain:
-- waits for the advisory locks of :busy_keys, or those that extend has told as :busy_hashes, for :wait_ms in all and in ascending
-- order, and so without deadlock.
--
-- A call that waits gets it in turn. One that only tries, or waits for a moment and loses its place, might never get one that many
-- SyncGuard clients want. What is decided after the wait is decided by a later snapshot. The transaction has no other lock while it
-- waits, not even one on a table, and waits for nothing else for so long.
begin isolation level read committed;

select length(set_config('lock_timeout', :wait_ms::text, true)) as set;

select count(pg_advisory_xact_lock(hash))
from (
  select hashtext(key)::bigint as hash
  from unnest(:busy_keys::text[]) as key
  union
  select hash
  from unnest(:busy_hashes::bigint[]) as hash
  order by hash
) as busy;

select length(set_config('lock_timeout', '${lock_timeout}', true)) as set_back;

commit;
