-- queue/survey_ready_items: what tells a node where its leases may begin: the first ready item from :first on, the id that is drawn
-- next, the number that the next transaction gets, and the lowest number of those under way, as this statement sees them. No row: the
-- queue is not as the caller knows it.
select
  (
    select r.id
    from ${items} r
    where not r.is_leased
      and r.enqueue_at is null
      and r.id >= :first
    order by r.id
    limit 1
  ) as ready_id,
  coalesce(pg_sequence_last_value(${sequence_name}::regclass), 0) + 1 as next_id,
  s.oldest::text::bigint + age(s.oldest::xid) as next_xid,
  s.oldest::text::bigint as oldest_xid
from ${queues}
cross join (select pg_snapshot_xmin(pg_current_snapshot()) as oldest) as s
where name = :queue
  and version = :version
  and uid = :uid;
