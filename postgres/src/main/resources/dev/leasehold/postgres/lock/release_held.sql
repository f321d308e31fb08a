-- lock/release_held: ends each live grant of :keys for its holder. No row for a place whose key is free.
--
-- Outcomes, by the place in :keys: (r)eleased, with the node to notify, as in release; (o)ther, somebody else holds it; (b)usy, a grant
-- whose row another transaction has locked (a guard that has not ended): repeat. The columns are of fixed length, because otherwise
-- pgjdbc sends the statements of a message one by one.
with clock as materialized (
  select coalesce(:now::bigint, ${clock}) as now_ms
),
live as materialized (
  select
    w.place,
    l.key,
    l.lock_id,
    l.holder_lock_id = l.lock_id and l.holder_owner = w.owner and l.holder_instance_id = w.instance_id as same
  from unnest(:keys::text[], :owners::text[], :instance_ids::text[]) with ordinality as w (key, owner, instance_id, place)
  cross join lateral (select * from ${locks} where key = w.key offset 0) as l
  where l.expires_at_ms + ${tolerance} > (select now_ms from clock)
),
ours as materialized (
  select l.lock_id
  from ${locks} l
  where l.lock_id = any (array(select lock_id from live where same))
    and l.holder_lock_id = l.lock_id
  for update skip locked
),
released as (
  delete from ${locks} l
  using live v
  where l.lock_id = v.lock_id
    and l.lock_id = any (array(select lock_id from ours))
  returning v.place, l.key
)
select
  'r'::"char" as outcome,
  r.place,
  md5(r.key)::name as payload,
  ${waiting_node} as waiting_node
from released r
union all
select case when v.same then 'b'::"char" else 'o' end, v.place, null, null
from live v
where v.place <> all (array(select place from released));
