-- queue/produce: appends items in the order given, and returns their ids in that order. No row: the version or uid of the queue has
-- changed.
--
-- The ids are drawn from the sequence during the call, so a produce that begins after another was acknowledged gets greater ones, on
-- whatever node. The transaction has its number before it draws them: once all transactions with lower numbers have ended, their items
-- are visible (see survey_ready_items.sql).
--
-- A standby that was promoted without the last commits has sequences that went back. It draws no id before they are advanced: until then
-- the queue is not in the timeline of the server (see advance_sequences.sql).
--
-- An item that would expire before it is ready fails the call, unless it is lenient: the cast of a text that is no time is a data error
-- with both times in its message, which QueueFailures reads.
with q as materialized (
  select ${now} as now, pg_current_xact_id() as xid
  from ${queues}
  where name = :queue
    and version = :version
    and uid = :uid
    and ${in_timeline}
)
insert into ${items} (expire_deadline, enqueue_at, created_at, reference, encoding, kind, payload)
select
  case
    when a.lenient = 0 and a.due > a.expires and a.expires < ${never}
    then ('expires first ' || extract(epoch from a.due) || ' ' || extract(epoch from a.expires))::timestamptz
    else a.expires
  end,
  case when a.due >= q.now + interval '${near_now}' then a.due end,
  q.now,
  coalesce(a.reference, ''), coalesce(a.encoding, ''), coalesce(a.kind, ''), a.payload
from q
cross join lateral (
  select
    u.*,
    least(q.now + :expire_us * interval '1 microsecond', ${never}) as expires,
    coalesce(timestamptz 'epoch' + u.at_us * interval '1 microsecond', q.now + u.delay_us * interval '1 microsecond') as due
  from unnest(
    :references::text[], :encodings::text[], :kinds::text[], :payloads::bytea[], :ats_us::bigint[], :delays_us::bigint[],
    :lenients::bigint[]
  ) with ordinality as u (reference, encoding, kind, payload, at_us, delay_us, lenient, place)
) as a
where q.xid is not null
order by a.place
returning id;
