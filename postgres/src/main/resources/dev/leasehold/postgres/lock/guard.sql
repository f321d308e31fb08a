-- lock/guard: in the caller's transaction, the grant if it is still the caller's; no client can take it until that transaction ends.
--
-- FOR KEY SHARE blocks takeover and release (which change or delete the unique lock_id) and lets extension through. If the
-- grant changed hands after a REPEATABLE READ or SERIALIZABLE snapshot, this fails with 40001.
-- A row lock that was taken after a savepoint is released with it. The row shows that: its xmax is the transaction that has locked it,
-- which is then not the top-level one. If several transactions guard it, the xmax is neither: see savepoint.sql. The start of the
-- transaction distinguishes it from others of the same connection.
with held as materialized (
  select l.key, l.expires_at_ms + ${tolerance} > coalesce(:now::bigint, ${clock}) as live
  from ${locks} l
  where l.key = :key
    and l.lock_id = :lock_id
  for key share
)
select
  h.live,
  (select l.xmax = pg_current_xact_id()::xid from ${locks} l where l.key = h.key) as is_top_level,
  now() as began
from held h;
