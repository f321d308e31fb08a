-- lock/renew_held: adds to the lease of each live grant of :keys what its holder requests. No row for a place without a grant of its holder.
--
-- It adds to the expiry, not to now, and the lease never reaches further than ${max_lease} ms from now; it never gets shorter. Only under
-- the advisory lock, which is tried, as in extend. Outcomes, by the place in :keys: (e)xtended; (b)usy, a grant whose row another
-- transaction has locked or whose advisory lock another client has: repeat, later with wait_for_advisory_lock. The columns are of fixed
-- length, because otherwise pgjdbc sends the statements of a message one by one.
with clock as materialized (
  select coalesce(:now::bigint, ${clock}) as now_ms
),
wanted as materialized (
  select *
  from unnest(:keys::text[], :owners::text[], :instance_ids::text[], :mores_ms::bigint[]) with ordinality
    as w (key, owner, instance_id, more_ms, place)
),
held as materialized (
  select w.place, w.more_ms, l.lock_id
  from wanted w
  cross join lateral (select * from ${locks} where key = w.key offset 0) as l
  where l.holder_lock_id = l.lock_id
    and l.holder_owner = w.owner
    and l.holder_instance_id = w.instance_id
    and l.expires_at_ms + ${tolerance} > (select now_ms from clock)
),
ours as materialized (
  select l.lock_id
  from ${locks} l
  where l.lock_id = any (array(select lock_id from held))
    and l.holder_lock_id = l.lock_id
    and l.expires_at_ms + ${tolerance} > (select now_ms from clock)
    and pg_try_advisory_xact_lock(hashtext(l.key)::bigint)
  for no key update skip locked
),
renewed as (
  update ${locks} l
  set
    expires_at_ms = greatest(l.expires_at_ms, least(l.expires_at_ms + h.more_ms, c.now_ms + ${max_lease})),
    holder_lease_ms = coalesce(l.holder_lease_ms, 0)
      + greatest(0, least(h.more_ms, c.now_ms + ${max_lease} - l.expires_at_ms))
  from held h, clock c
  where l.lock_id = h.lock_id
    and l.lock_id = any (array(select lock_id from ours))
  returning h.place, l.lock_id, l.fence, l.acquired_at_ms, l.expires_at_ms, l.holder_lease_ms
)
select
  'e'::"char" as outcome,
  place,
  lock_id::name as lock_id,
  fence::bigint as fence,
  acquired_at_ms,
  expires_at_ms,
  holder_lease_ms as lease_ms
from renewed
union all
select 'b', h.place, null, null, null, null, null
from held h
where h.place <> all (array(select place from renewed));
