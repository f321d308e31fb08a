-- queue/produce: appends items in the order given, and returns their ids in that order. No row: the queue is not as the caller
-- knows it.
--
-- The ids come from the sequence while the call is under way, so a produce that begins after another was acknowledged gets greater
-- ones, on whatever node. The transaction has its number before it draws them: whoever sees that all with lower numbers have ended
-- has seen their items (see head.sql).
with q as materialized (
  select ${now} as now, pg_current_xact_id() as xid
  from ${queues}
  where name = :queue
    and version = :version
)
insert into ${items} (expire_deadline, enqueue_at, created_at, reference, encoding, kind, payload)
select
  q.now + :expire_us * interval '1 microsecond',
  case when a.due >= q.now + interval '${near_now}' then a.due end,
  q.now,
  coalesce(a.reference, ''), coalesce(a.encoding, ''), coalesce(a.kind, ''), a.payload
from q
cross join lateral (
  select
    u.*,
    coalesce(timestamptz 'epoch' + u.at_us * interval '1 microsecond', q.now + u.delay_us * interval '1 microsecond') as due
  from unnest(
    :references::text[], :encodings::text[], :kinds::text[], :payloads::bytea[], :ats_us::bigint[], :delays_us::bigint[]
  ) with ordinality as u (reference, encoding, kind, payload, at_us, delay_us, place)
) as a
where q.xid is not null
order by a.place
returning id;
