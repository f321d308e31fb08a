-- lock/acquire_dead: goes before acquire, in the same transaction, for keys that were busy: deletes what is dead of them.
--
-- After patiently, and so under their advisory locks: a SyncGuard client that is just taking over the same row has done so,
-- or waits. A dead row that a guard or a release still locks is passed over, and keeps its key locked for acquire.
with dead as materialized (
  select l.ctid
  from ${locks} l
  where l.key = any (:busy_keys::text[])
    and l.expires_at_ms + ${tolerance} <= coalesce(:now::bigint, ${clock})
  for update skip locked
),
buried as (
  delete from ${locks} l
  where l.ctid = any (array(select ctid from dead))
  returning l.key
)
select count(*) from buried;
