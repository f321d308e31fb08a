-- queue/import: puts items in as they are, under new ids in the order given. A row per item: its id, or none if its source id is
-- there already. No row at all: the queue is not as the caller knows it. As in produce, the number of the transaction comes first.
with q as materialized (
  select ${now} as now, pg_current_xact_id() as xid
  from ${queues}
  where name = :queue
    and version = :version
    and uid = :uid
    and ${in_timeline}
),
fresh as materialized (
  select nextval(${sequence_name}) as id, u.*
  from q
  cross join lateral (
    select *
    from unnest(
      :source_ids::text[], :leaseds::bigint[], :leases_us::bigint[], :expires_us::bigint[], :attempts::bigint[],
      :max_attempts::bigint[], :references::text[], :encodings::text[], :kinds::text[], :payloads::bytea[]
    ) with ordinality as u (
      source_id, leased, lease_us, expire_us, attempts, max_attempts, reference, encoding, kind, payload, place
    )
    order by place
  ) as u
  where q.xid is not null
),
stored as (
  insert into ${items} (
    id, source_id, is_leased, lease_deadline, expire_deadline, created_at, attempts, max_attempts, reference, encoding, kind,
    payload
  )
  select
    f.id, f.source_id, f.leased = 1,
    case when f.leased = 1 then coalesce(
      timestamptz 'epoch' + f.lease_us * interval '1 microsecond',
      q.now + :lease_us * interval '1 microsecond'
    ) end,
    coalesce(
      timestamptz 'epoch' + f.expire_us * interval '1 microsecond',
      least(q.now + :expire_us * interval '1 microsecond', ${never})
    ),
    q.now, f.attempts, f.max_attempts, f.reference, f.encoding, f.kind, f.payload
  from fresh f
  cross join q
  order by f.place
  on conflict (source_id) where source_id is not null do nothing
  returning id, lease_deadline, expire_deadline, created_at
)
select s.id, s.lease_deadline, s.expire_deadline, s.created_at
from fresh f
left join stored s on s.id = f.id
order by f.place;
