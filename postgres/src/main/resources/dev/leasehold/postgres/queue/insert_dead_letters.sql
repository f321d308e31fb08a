-- queue/insert_dead_letters: a piece of retry and sweep: writes the items that were deleted (gone) to the dead queue. One that is there
-- already is not written twice.
insert into ${dead} (source_id, expire_deadline, created_at, reference, encoding, kind, payload)
select
  '=' || lpad(to_hex(:uid::bigint), 16, '0') || lpad(to_hex(32768 | :partition::bigint), 4, '0')
    || lpad(to_hex(g.id), 16, '0') || lpad(to_hex(g.given_back), 4, '0'),
  least(q.now + :dead_expire_us * interval '1 microsecond', ${never}),
  q.now,
  g.reference, g.encoding, g.kind, g.payload
from gone g
cross join q
order by g.id
on conflict (source_id) where source_id is not null do nothing
returning 1
