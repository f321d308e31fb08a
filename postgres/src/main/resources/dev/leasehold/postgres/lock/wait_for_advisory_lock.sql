-- lock/wait_for_advisory_lock: precedes acquire, extend, renew_held or finished_acquires in the same transaction, for a call that was
-- repeated several times: waits for the advisory locks of :busy_keys, or for :busy_hashes as extend returned them, for :wait_ms in all, in
-- ascending order and so without deadlock.
--
-- PostgreSQL grants an advisory lock in the order of the requests. A call that only tries, or that waits for a moment and loses its place,
-- may never get one that many SyncGuard clients want. The statement after the wait has a later snapshot. While it waits, the transaction
-- holds no other lock, not even one on a table, and it waits for nothing else that long.
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
