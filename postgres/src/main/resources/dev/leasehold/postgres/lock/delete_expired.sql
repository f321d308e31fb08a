-- lock/delete_expired: precedes acquire in the same transaction, for keys that were busy: deletes their expired rows.
--
-- The clock is read first: otherwise the planner would try the advisory lock of a live key, because that is cheaper than the clock.
-- Only under their advisory locks: a SyncGuard client that takes over the same row has committed, or waits. The locks are tried, not
-- waited for. A row that was taken over or extended after the snapshot is evaluated again when it is locked (EvalPlanQual), and is not
-- expired any more. An expired row that a guard or a release still locks is skipped, and keeps its key locked for acquire.
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
