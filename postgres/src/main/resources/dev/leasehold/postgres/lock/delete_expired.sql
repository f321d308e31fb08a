-- lock/delete_expired: goes before acquire, in the same transaction, for keys that were busy: deletes what is dead of them.
--
-- The clock is read first: otherwise the planner asks for the advisory lock of a live key, because that is cheaper than the clock.
-- Only under their advisory locks: a SyncGuard client that is just taking over the same row has done so, or waits. They are tried, not
-- waited for; a row that was taken over or extended after the snapshot is looked at again when it is locked, and is not dead any more. A
-- dead row that a guard or a release still locks is passed over, and keeps its key locked for acquire.
with clock as materialized (
  select coalesce(:now::bigint, ${clock}) as now_ms
),
dead as materialized (
  select l.ctid
  from ${locks} l
  where l.key = any (:busy_keys::text[])
    and l.expires_at_ms + ${tolerance} <= (select now_ms from clock)
    and pg_try_advisory_xact_lock(hashtext(l.key)::bigint)
  for update skip locked
),
buried as (
  delete from ${locks} l
  where l.ctid = any (array(select ctid from dead))
  returning l.key
)
select count(*) from buried;
